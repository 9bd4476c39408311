"""One change for each attribute of the model: what is edited in BASE, and the changes that there have to be.

A row with two texts is an edit of BASE; a row with one sentence says why the attribute makes no change.
"""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "BASE", "Row"]

BASE = """
enum Size in shop { small, large }
enum Tint in shop { red }

entity Person in shop { id bigint primary }
entity Customer in shop {
  id     bigint primary
  code   varchar(8) not null
  region int not null
  unique by code, region
}

entity Order in shop {
  id        bigint primary identity
  size      Size not null default "small"
  number    int not null check "number > 0" backfill "1"
  line      int
  ref_code  bigint references shop.Customer.id on delete cascade on update cascade
  made_at   timestamptz not null
  paid_at   timestamptz
  gone_at   timestamptz
  index by expr "lower(size::text)", number
  index by made_at desc
  index partial by line where paid_at is null
  check "number < 99" as few
  check "line > 0"
  has_many lines: Order via ref_code
  soft_delete by gone_at
  touch_on_update by made_at
  ttl_field paid_at
  query_timeout = 2s
  cache {
    read_through ttl = 5m tag = "order:{id}"
    invalidate_on: write(Customer where id = self.ref_code)
    consistency = strict
  }
}

entity Shape in shop {
  id    bigint primary
  seen  vector(3)
  index hnsw on seen ops cosine
}

entity Log in shop { at timestamptz not null, note text not null  keyless }

hypertable Tick in shop on at {
  at    timestamptz not null
  at_2  timestamptz not null
  tenant text not null
  primary by at, at_2
  chunk_time_interval 7d
  partition by tenant
}

query Orders for Order {
  input { size: Size default "small" }
  output { id: bigint, number: int }
  sql touches(Order) { SELECT id, number FROM shop.order WHERE size = $size }
  cache { read_through ttl = 1m }
}
query All for Order { output as Order  sql touches(Order) { SELECT * FROM shop.order } }

procedure Close for Order {
  input { id: bigint }
  steps {
    update Order set number = 1 where id = $id
    sql touches(Order) { DELETE FROM shop.order WHERE id = $id }
    enqueue Mail(id: $id, note: "closed")
  }
  invalidate: tag("order:{id}")
}

job Mail in shop {
  args { id bigint not null, note text default "hello" check "note <> ''" }
  retries 2
  timeout 5m
  heartbeat 1m
  queue "mail"
  schedule "0 1 * * *"
  visible_to "shop"
}
job Undo in shop { args { id bigint not null } }

workflow Ship in shop {
  state { id bigint not null, note text }
  step pack { job Mail args { id: $id, note: "packed" } }
  step send { job Mail args { id: $id } }
  compensate pack { job Undo args { id: $id } }
}

ephemeral Code in shop {
  phone  varchar(20) primary
  digits varchar(6) not null
  ttl = 10m
}
"""

Row = tuple[str, str, str]
"""(text in BASE, its replacement, `kind id.member` of each change, separated by `; `)."""

ATTRIBUTES: dict[str, str | list[Row]] = {
    "Schema.entities": [
        ("ephemeral Code", "entity New in shop { id int primary }\nephemeral Code", "entity_added shop.New"),
        ("entity Person in shop { id bigint primary }", "", "entity_removed shop.Person"),
    ],
    "Schema.enums": [
        ("ephemeral Code", "enum New in shop { x }\nephemeral Code", "enum_added shop.New"),
        ("enum Tint in shop { red }", "", "enum_removed shop.Tint"),
    ],
    "Schema.queries": [
        ("query All for Order {", "query Every for Order {", "query_added shop.Every; query_removed shop.All"),
    ],
    "Schema.procedures": [
        ("procedure Close", "procedure Shut", "procedure_added shop.Shut; procedure_removed shop.Close"),
    ],
    "Schema.jobs": [
        ("ephemeral Code", "job New in shop { }\nephemeral Code", "job_added shop.New"),
        (
            "job Undo in shop { args { id bigint not null } }",
            "job Redo in shop { args { id bigint not null } }",
            "job_added shop.Redo; job_removed shop.Undo",
        ),
    ],
    "Schema.workflows": [
        ("workflow Ship", "workflow Send", "workflow_added shop.Send; workflow_removed shop.Ship"),
    ],
    "Schema.ephemerals": [
        ("ephemeral Code", "ephemeral Pin", "ephemeral_added shop.Pin; ephemeral_removed shop.Code"),
    ],
    "Entity.id": "it is the name: another one is another entity, or a rename by hint",
    "Entity.where": "where it stands is no part of what it is",
    "Entity.renamed_from": "a hint does nothing by itself",
    "Entity.fields": [
        ("  code   varchar(8)", "  more   text\n  code   varchar(8)", "field_added shop.Customer.more"),
        ("  gone_at   timestamptz\n  index", "  index", "field_removed shop.Order.gone_at"),
        (
            "  line      int\n",
            "  line      int\n  tag       bigint references shop.Person.id\n",
            "field_added shop.Order.tag; reference_added shop.Order.tag",
        ),
    ],
    "Entity.key": [("primary by at, at_2", "primary by at_2, at", "key_changed shop.Tick")],
    "Entity.table": [("  query_timeout", '  table "sales.orders"\n  query_timeout', "entity_table_changed shop.Order")],
    "Entity.keyless": [
        ("note text not null  keyless", "note text not null  primary by at", "entity_keyless_unset shop.Log"),
        ("  primary by at, at_2", "  keyless", "entity_keyless_set shop.Tick"),
    ],
    "Entity.hyper": [
        ("entity Log in shop {", "hypertable Log in shop on at {", "entity_kind_changed shop.Log"),
    ],
    "Entity.time_field": [("Tick in shop on at {", "Tick in shop on at_2 {", "entity_time_field_changed shop.Tick")],
    "Entity.chunk_interval_ms": [
        ("chunk_time_interval 7d", "chunk_time_interval 1d", "chunk_time_interval_changed shop.Tick"),
        ("chunk_time_interval 7d", "", "chunk_time_interval_changed shop.Tick"),
    ],
    "Entity.unique_by": [
        ("  unique by code, region", "", "unique_by_removed shop.Customer.code, region"),
        ("  soft_delete by", "  unique by size, number\n  soft_delete by", "unique_by_added shop.Order.number, size"),
    ],
    "Entity.indexes": [
        ("  index by made_at desc\n", "", "index_removed shop.Order.made_at"),
        ("  soft_delete by", "  index by number\n  soft_delete by", "index_added shop.Order.number"),
        (
            "  index by made_at desc\n",
            "  index partial by made_at where line > 1\n  index partial by made_at where line > 2\n",
            "index_removed shop.Order.made_at; index_added shop.Order.made_at; index_added shop.Order.made_at",
        ),
    ],
    "Entity.checks": [
        ('  check "line > 0"\n', "", "check_removed shop.Order.line > 0"),
        (
            '  check "line > 0"\n',
            '  check "line > 1"\n',
            "check_added shop.Order.line > 1; check_removed shop.Order.line > 0",
        ),
        (" as few\n", " as less\n", "check_added shop.Order.less; check_removed shop.Order.few"),
    ],
    "Entity.relations": [
        ("  has_many lines: Order via ref_code\n", "", "relation_changed shop.Order.lines"),
        ("lines: Order", "rows: Order", "relation_changed shop.Order.lines; relation_changed shop.Order.rows"),
    ],
    "Entity.soft_delete": [
        ("  soft_delete by gone_at\n", "", "soft_delete_unset shop.Order"),
        ("soft_delete by gone_at", "soft_delete by paid_at", "soft_delete_moved shop.Order"),
        (
            "note text not null  keyless",
            "note text not null, off timestamptz  soft_delete by off  keyless",
            "soft_delete_set shop.Log; field_added shop.Log.off",
        ),
    ],
    "Entity.touch_on_update": [
        ("  touch_on_update by made_at\n", "", "touch_on_update_changed shop.Order"),
        ("touch_on_update by made_at", "touch_on_update by gone_at", "touch_on_update_changed shop.Order"),
    ],
    "Entity.ttl_field": [
        ("  ttl_field paid_at\n", "", "ttl_field_unset shop.Order"),
        ("ttl_field paid_at", "ttl_field gone_at", "ttl_field_moved shop.Order"),
        ("note text not null  keyless", "note text not null  ttl_field at  keyless", "ttl_field_set shop.Log"),
    ],
    "Entity.partition": [
        ("  partition by tenant\n", "", "partition_changed shop.Tick"),
        ("note text not null  keyless", "note text not null  partition by note  keyless", "partition_changed shop.Log"),
    ],
    "Entity.query_timeout_ms": [
        ("query_timeout = 2s", "query_timeout = 3s", "query_timeout_changed shop.Order"),
        ("  query_timeout = 2s\n", "", "query_timeout_changed shop.Order"),
    ],
    "Entity.cache": [
        (
            "note text not null  keyless",
            "note text not null  keyless  cache { consistency = strict }",
            "cache_changed shop.Log",
        )
    ],
    "Field.name": "it is the name: another one is another field, or a rename by hint",
    "Field.where": "where it stands is no part of what it is",
    "Field.renamed_from": "a hint does nothing by itself",
    "Field.type": [
        ("number    int not null", "number    bigint not null", "field_type_widened shop.Order.number"),
        ("seen  vector(3)", "seen  vector(4)", "field_shape_changed shop.Shape.seen"),
        ("size: Size default", "size: text default", "query_changed shop.Orders"),
        ("number: int }", "number: bigint }", "query_changed shop.Orders"),
        (
            "Close for Order {\n  input { id: bigint }",
            "Close for Order {\n  input { id: int }",
            "procedure_changed shop.Close",
        ),
        (
            "job Undo in shop { args { id bigint",
            "job Undo in shop { args { id int",
            "job_arg_type_changed shop.Undo.id",
        ),
        ("state { id bigint", "state { id int", "workflow_state_type_changed shop.Ship.id"),
        ("digits varchar(6)", "digits varchar(7)", "ephemeral_field_changed shop.Code.digits"),
    ],
    "Field.not_null": [
        ("  line      int\n", "  line      int not null\n", "field_not_null_set shop.Order.line"),
        ("  region int not null", "  region int", "field_not_null_unset shop.Customer.region"),
        ("args { id bigint not null, note", "args { id bigint, note", "job_arg_not_null_unset shop.Mail.id"),
        ('note text default "hello"', 'note text not null default "hello"', "job_arg_not_null_set shop.Mail.note"),
        ("state { id bigint not null", "state { id bigint", "workflow_state_not_null_unset shop.Ship.id"),
        ("digits varchar(6) not null", "digits varchar(6)", "ephemeral_field_changed shop.Code.digits"),
    ],
    "Field.primary": [
        (
            "id     bigint primary\n  code   varchar(8) not null",
            "id     bigint not null\n  code   varchar(8) primary",
            "key_changed shop.Customer",
        ),
    ],
    "Field.unique": [
        ("  line      int\n", "  line      int unique\n", "field_unique_set shop.Order.line"),
    ],
    "Field.generated": [
        ("id        bigint primary identity", "id        bigint primary", "field_identity_unset shop.Order.id"),
        (
            "id        bigint primary identity",
            "id        bigint primary serial",
            "field_identity_unset shop.Order.id; field_serial_set shop.Order.id",
        ),
        (
            "Person in shop { id bigint primary",
            "Person in shop { id bigint primary serial",
            "field_serial_set shop.Person.id",
        ),
    ],
    "Field.default": [
        ('default "small"\n', 'default "large"\n', "field_default_changed shop.Order.size"),
        ("  line      int\n", "  line      int default 3\n", "field_default_changed shop.Order.line"),
        ('note text default "hello"', "note text", "job_arg_default_changed shop.Mail.note"),
        ('size: Size default "small"', "size: Size", "query_changed shop.Orders"),
        ("not null, note text }", 'not null, note text default "x" }', "workflow_state_default_changed shop.Ship.note"),
        (
            "digits varchar(6) not null",
            'digits varchar(6) not null default "0"',
            "ephemeral_field_changed shop.Code.digits",
        ),
    ],
    "Field.reference": [
        (
            " references shop.Customer.id on delete cascade on update cascade",
            "",
            "reference_removed shop.Order.ref_code",
        ),
        ("  line      int\n", "  line      int references shop.Person.id\n", "reference_added shop.Order.line"),
    ],
    "Field.check": [
        (' check "number > 0"', "", "check_removed shop.Order.number"),
        ('check "number > 0"', 'check "number > 1"', "check_changed shop.Order.number"),
        ("  line      int\n", '  line      int check "line < 5"\n', "check_added shop.Order.line"),
        (" check \"note <> ''\"", "", "job_arg_check_changed shop.Mail.note"),
        (
            "not null, note text }",
            "not null, note text check \"note <> ''\" }",
            "workflow_state_check_changed shop.Ship.note",
        ),
        (
            "digits varchar(6) not null",
            "digits varchar(6) not null check \"digits <> ''\"",
            "ephemeral_field_changed shop.Code.digits",
        ),
    ],
    "Field.backfill": [('backfill "1"', 'backfill "2"', "field_backfill_changed shop.Order.number")],
    "Reference.entity": [
        ("references shop.Customer.id", "references shop.Person.id", "reference_target_changed shop.Order.ref_code"),
    ],
    "Reference.field": [
        (
            "references shop.Customer.id",
            "references shop.Customer.code",
            "reference_target_changed shop.Order.ref_code",
        ),
    ],
    "Reference.on_delete": [
        ("on delete cascade", "on delete restrict", "reference_action_strengthened shop.Order.ref_code"),
    ],
    "Reference.on_update": [
        ("on update cascade", "on update set null", "reference_action_strengthened shop.Order.ref_code"),
        (" on update cascade", "", "reference_action_strengthened shop.Order.ref_code"),
    ],
    "Value.kind": [
        ('default "hello"', 'default raw "hello"', "job_arg_default_changed shop.Mail.note"),
    ],
    "Value.text": [('default "hello"', 'default "bye"', "job_arg_default_changed shop.Mail.note")],
    "Index.kind": [("index hnsw on seen ops cosine", "index by seen", "index_changed shop.Shape.seen")],
    "Index.columns": [
        (
            "index by made_at desc",
            "index by made_at desc, line",
            "index_added shop.Order.made_at, line; index_removed shop.Order.made_at",
        ),
    ],
    "Index.unique": [("index partial by line", "unique index partial by line", "index_changed shop.Order.line")],
    "Index.predicate": [("where paid_at is null", "where paid_at is not null", "index_changed shop.Order.line")],
    "Index.ops": [("ops cosine", "ops l2", "index_changed shop.Shape.seen")],
    "Index.where": "where it stands is no part of what it is",
    "IndexColumn.field": [
        (
            "index by made_at desc",
            "index by gone_at desc",
            "index_added shop.Order.gone_at; index_removed shop.Order.made_at",
        ),
    ],
    "IndexColumn.expression": [
        (
            "lower(size::text)",
            "upper(size::text)",
            "index_added shop.Order.upper(size::text), number; index_removed shop.Order.lower(size::text), number",
        ),
    ],
    "IndexColumn.descending": [("index by made_at desc", "index by made_at", "index_changed shop.Order.made_at")],
    "Check.name": [(" as few\n", "\n", "check_added shop.Order.number < 99; check_removed shop.Order.few")],
    "Check.expression": [('"number < 99"', '"number < 98"', "check_changed shop.Order.few")],
    "Check.where": "where it stands is no part of what it is",
    "Relation.kind": [("has_many lines", "has_one lines", "relation_changed shop.Order.lines")],
    "Relation.name": [
        ("lines: Order", "rows: Order", "relation_changed shop.Order.lines; relation_changed shop.Order.rows"),
    ],
    "Relation.target": [("lines: Order via", "lines: Customer via", "relation_changed shop.Order.lines")],
    "Relation.via": [("via ref_code", "via id", "relation_changed shop.Order.lines")],
    "Relation.where": "where it stands is no part of what it is",
    "Cache.ttl_ms": [
        ("ttl = 5m", "ttl = 6m", "cache_changed shop.Order"),
        ("ttl = 1m", "ttl = 2m", "query_changed shop.Orders"),
    ],
    "Cache.tag": [('tag = "order:{id}"', 'tag = "o:{id}"', "cache_changed shop.Order")],
    "Cache.invalidate_on": [("write(Customer where", "write(self), write(Customer where", "cache_changed shop.Order")],
    "Cache.consistency": [("= strict", "= eventual", "cache_changed shop.Order")],
    "CacheWrite.entity": [("write(Customer where", "write(Person where", "cache_changed shop.Order")],
    "CacheWrite.field": [("where id = self", "where region = self", "cache_changed shop.Order")],
    "CacheWrite.own": [("self.ref_code)", "self.id)", "cache_changed shop.Order")],
    "Enum.id": "it is the name: another one is another enum, or a rename by hint",
    "Enum.labels": "their order means nothing; which there are is `label_set`",
    "Enum.label_set": [
        ("{ small, large }", "{ small, large, huge }", "enum_label_added shop.Size.huge"),
        ("{ small, large }", "{ small }", "enum_label_removed shop.Size.large"),
    ],
    "Enum.type_name": "it follows from the id",
    "Enum.label_renames": "a hint does nothing by itself",
    "Enum.renamed_from": "a hint does nothing by itself",
    "Enum.where": "where it stands is no part of what it is",
    "Argument.name": [('note: "packed"', 'other: "packed"', "workflow_step_args_changed shop.Ship.pack")],
    "Argument.parameter": [
        (
            "job Undo args { id: $id }",
            "job Undo args { id: $note }",
            "workflow_compensation_args_changed shop.Ship.pack",
        ),
        ("Mail(id: $id,", "Mail(id: $other,", "procedure_changed shop.Close"),
    ],
    "Argument.value": [
        ('note: "packed"', 'note: "wrapped"', "workflow_step_args_changed shop.Ship.pack"),
        ('note: "closed"', 'note: "shut"', "procedure_changed shop.Close"),
    ],
    "SqlStep.touches": [
        (
            "{ id: bigint, number: int }\n  sql touches(Order)",
            "{ id: bigint, number: int }\n  sql touches(Order, Person)",
            "query_changed shop.Orders",
        ),
        ("    sql touches(Order)", "    sql touches(Order, Person)", "procedure_changed shop.Close"),
    ],
    "SqlStep.sql": [
        ("DELETE FROM shop.order WHERE id", "DELETE FROM shop.order WHERE number", "procedure_changed shop.Close"),
        ("WHERE size = $size", "WHERE size <> $size", "query_changed shop.Orders"),
    ],
    "WriteStep.kind": [
        ("update Order set number = 1 where id = $id", "delete Order where id = $id", "procedure_changed shop.Close"),
    ],
    "WriteStep.entity": [("update Order set", "update Customer set", "procedure_changed shop.Close")],
    "WriteStep.sets": [("set number = 1", "set number = 2", "procedure_changed shop.Close")],
    "WriteStep.conditions": [("= 1 where id = $id", "= 1 where line = $id", "procedure_changed shop.Close")],
    "EnqueueStep.job": [("enqueue Mail", "enqueue Undo", "procedure_changed shop.Close")],
    "EnqueueStep.args": [
        ('enqueue Mail(id: $id, note: "closed")', "enqueue Mail(id: $id)", "procedure_changed shop.Close")
    ],
    "Query.id": "it is the name: another one is another query",
    "Query.where": "where it stands is no part of what it is",
    "Query.owner": [("query All for Order", "query All for Customer", "query_changed shop.All")],
    "Query.inputs": [('input { size: Size default "small" }', "", "query_changed shop.Orders")],
    "Query.output_entity": [("output as Order", "output as Customer", "query_changed shop.All")],
    "Query.outputs": [("{ id: bigint, number: int }", "{ number: int, id: bigint }", "query_changed shop.Orders")],
    "Query.block": [("SELECT * FROM", "SELECT 1 FROM", "query_changed shop.All")],
    "Query.cache": [("  cache { read_through ttl = 1m }\n", "", "query_changed shop.Orders")],
    "Procedure.id": "it is the name: another one is another procedure",
    "Procedure.where": "where it stands is no part of what it is",
    "Procedure.owner": [("procedure Close for Order", "procedure Close for Customer", "procedure_changed shop.Close")],
    "Procedure.inputs": [("input { id: bigint }", "input { id: bigint, n: int }", "procedure_changed shop.Close")],
    "Procedure.steps": [("    update Order set number = 1 where id = $id\n", "", "procedure_changed shop.Close")],
    "Procedure.invalidate_tag": [('tag("order:{id}")', 'tag("orders")', "procedure_changed shop.Close")],
    "Job.id": "it is the name: another one is another job, or a rename by hint",
    "Job.where": "where it stands is no part of what it is",
    "Job.renamed_from": "a hint does nothing by itself",
    "Job.args": [
        (
            "Undo in shop { args { id bigint not null }",
            "Undo in shop { args { id bigint not null, n int }",
            "job_arg_added shop.Undo.n",
        ),
        ("Undo in shop { args { id bigint not null }", "Undo in shop { args { }", "job_arg_removed shop.Undo.id"),
    ],
    "Job.retries": [("retries 2", "retries 3", "job_retries_changed shop.Mail")],
    "Job.timeout_ms": [
        ("timeout 5m", "timeout 6m", "job_timeout_changed shop.Mail"),
        ("timeout 5m", "timeout none", "job_timeout_changed shop.Mail"),
    ],
    "Job.heartbeat_ms": [("heartbeat 1m", "heartbeat 2m", "job_heartbeat_changed shop.Mail")],
    "Job.queue": [('queue "mail"', 'queue "post"', "job_queue_changed shop.Mail")],
    "Job.schedule": [('schedule "0 1', 'schedule "0 2', "job_schedule_changed shop.Mail")],
    "Job.visible_to": [
        ('visible_to "shop"', 'visible_to "*"', "job_visible_to_widened shop.Mail"),
        ('visible_to "shop"', 'visible_to "till"', "job_visible_to_narrowed shop.Mail"),
    ],
    "WorkflowStep.name": [
        (
            "  step send {",
            "  step post {",
            "workflow_step_appended shop.Ship.post; workflow_step_removed shop.Ship.send",
        ),
    ],
    "WorkflowStep.job": [
        ("step send { job Mail", "step send { job Undo", "workflow_step_job_changed shop.Ship.send"),
        (
            "compensate pack { job Undo",
            "compensate pack { job Mail",
            "workflow_compensation_job_changed shop.Ship.pack",
        ),
    ],
    "WorkflowStep.args": [
        (
            "step send { job Mail args { id: $id } }",
            "step send { job Mail }",
            "workflow_step_args_changed shop.Ship.send",
        ),
    ],
    "WorkflowStep.where": "where it stands is no part of what it is",
    "Workflow.id": "it is the name: another one is another workflow",
    "Workflow.where": "where it stands is no part of what it is",
    "Workflow.state": [
        ("not null, note text }", "not null }", "workflow_state_removed shop.Ship.note"),
        ("not null, note text }", "not null, note text, n int }", "workflow_state_added shop.Ship.n"),
    ],
    "Workflow.steps": [
        ("  step send {", "  step weigh { job Undo }\n  step send {", "workflow_step_inserted shop.Ship.weigh"),
        ("  step send { job Mail args { id: $id } }\n", "", "workflow_step_removed shop.Ship.send"),
        (
            '  step pack { job Mail args { id: $id, note: "packed" } }\n  step send { job Mail args { id: $id } }\n',
            '  step send { job Mail args { id: $id } }\n  step pack { job Mail args { id: $id, note: "packed" } }\n',
            "workflow_steps_reordered shop.Ship",
        ),
    ],
    "Workflow.compensations": [
        ("  compensate pack { job Undo args { id: $id } }\n", "", "workflow_compensation_removed shop.Ship.pack"),
        (
            "  compensate pack",
            "  compensate send { job Undo }\n  compensate pack",
            "workflow_compensation_added shop.Ship.send",
        ),
    ],
    "Ephemeral.id": "it is the name: another one is another ephemeral",
    "Ephemeral.where": "where it stands is no part of what it is",
    "Ephemeral.fields": [
        ("  ttl = 10m", "  tries int\n  ttl = 10m", "ephemeral_field_added shop.Code.tries"),
        ("  digits varchar(6) not null\n", "", "ephemeral_field_removed shop.Code.digits"),
    ],
    "Ephemeral.key": [
        ("phone  varchar(20) primary", "phone  varchar(20) not null", "ephemeral_key_changed shop.Code"),
    ],
    "Ephemeral.ttl_ms": [("ttl = 10m", "ttl = 11m", "ephemeral_ttl_changed shop.Code")],
}
