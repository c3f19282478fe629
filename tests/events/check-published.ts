// Runs before each integration test file: holds every event that a service appends to its outbox against the description.
import type { EventEnvelope } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { afterAll } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DescribedMessages } from '../schemas/described-messages.js';

const SEEN = fileURLToPath(new URL('../../.local/test-events/', import.meta.url));
const messages = new DescribedMessages();
const described = new Set(messages.types('events'));
const publishers = messages.publishers();
const problems: string[] = [];
const seen = new Set<string>();
const { outboxRow } = Outbox.prototype;

Outbox.prototype.outboxRow = function checkedRow(event) {
  const row = outboxRow.call(this, event);
  const envelope = JSON.parse(row.envelope) as EventEnvelope;
  // Tests of the messaging invent services of their own.
  if (described.has(event.type) && publishers.has(envelope.source)) {
    seen.add(event.type);
    const found = messages.payloadProblems(event.type, envelope);
    problems.push(...found.map((problem) => `${event.type} ${problem}`));
  }
  return row;
};

afterAll(() => {
  Outbox.prototype.outboxRow = outboxRow;
  mkdirSync(SEEN, { recursive: true });
  for (const type of seen) writeFileSync(`${SEEN}${type}`, '');
  if (problems.length > 0) {
    const lines = [...new Set(problems)].slice(0, 10).join('\n');
    throw new Error(`Expected events as docs/api/asyncapi.json describes them, found:\n${lines}`);
  }
});
