-- What an operator looks through: all deliveries by age, those in one state, those still open.

CREATE INDEX delivery_created ON delivery (created_at, id);
CREATE INDEX delivery_state ON delivery (state, created_at, id);
CREATE INDEX delivery_open ON delivery (created_at, id) WHERE state NOT IN ('delivered', 'refunded');
