// Writes declarations into an empty file as a user does: what completion and snippets offer is taken, little is typed.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const WRITTEN = `\
job SweepReturns in orders {
  retries    2
  timeout    15m
  heartbeat  1m
  schedule   "0 3 * * *"
}

procedure CloseReturn for Order {
  input { id: bigint }
  steps {
    enqueue ReserveStock(order: $id)
  }
}

workflow ReturnParcel in orders {
  state {
    order bigint not null
  }
  step release {
    job ReleaseStock
    args { order: $order }
  }
  step refund {
    job billing.Refund
    args { order: $order }
  }
  compensate release {
    job ReserveStock
    args { order: $order }
  }
}
`;

export async function write(page, workspace, openFile, run) {
  const file = path.join(workspace, 'orders/returns.atl');
  writeFileSync(file, '');
  await openFile('returns.atl');

  const keys = async (...names) => {
    for (const name of names) {
      await page.keyboard.press(name);
      await page.waitForTimeout(150);
    }
  };
  const type = async (text) => {
    await page.keyboard.type(text, { delay: 30 });
    await page.waitForTimeout(150);
  };
  /** Takes what is called so from the list that is open, or opens when `typed` is typed. */
  const take = async (label, typed = '') => {
    await type(typed);
    const list = page.locator('.suggest-widget.visible');
    await list.locator(`.monaco-list-row[aria-label^="${label},"]`).first().click();
    await page.waitForTimeout(300);
  };

  await take('job-scheduled', 'job');
  await type('SweepReturns');
  await keys('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter');

  await take('procedure', 'proc');
  await type('CloseReturn');
  await keys('Tab');
  await take('Order');
  await keys('Tab', 'Tab');
  await take('enqueue', 'enq');
  await take('ReserveStock');
  await take('order');
  await keys('Escape', 'Escape', 'Control+End', 'Enter', 'Enter');

  await take('workflow', 'workf');
  await type('ReturnParcel');
  await keys('Tab');
  await take('orders');
  await type('order');
  await keys('Tab', 'Tab');
  await type('release');
  await keys('Tab');
  await take('ReleaseStock', 'Rel');
  await keys('Escape', 'Escape', 'ArrowDown', 'End', 'Enter');
  await take('step', 'ste');
  await type('refund');
  await keys('Tab');
  await take('billing.Refund', 'Ref');
  await keys('Escape', 'Escape', 'ArrowDown', 'End', 'Enter');
  await take('compensate', 'comp');
  await take('release');
  await take('ReserveStock', 'Res');
  await keys('Escape', 'Escape');

  await run('File: Save');
  for (let tries = 0; readFileSync(file, 'utf8') !== WRITTEN; tries += 1) {
    if (tries > 50) {
      throw new Error(`this was written:\n${readFileSync(file, 'utf8')}`);
    }
    await page.waitForTimeout(200);
  }
  await page.waitForFunction(() => document.querySelector('.squiggly-error, .squiggly-warning') === null);
}
