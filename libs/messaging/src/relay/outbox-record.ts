/** Row of the outbox, as the relay reads it. */
export interface OutboxRecord {
  id: string;
  topic: string;
  key: string;
  envelope: string;
}
