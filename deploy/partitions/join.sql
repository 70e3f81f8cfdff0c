-- The way back from split.sql: each of the tables whole again, as the migrations made it.

SELECT pg_temp.rebuild('ledger_entry', '', '{}', '{}');
SELECT pg_temp.rebuild('sign_in', '', '{}', '{"PRIMARY KEY (id, at)": "PRIMARY KEY (id)"}');
