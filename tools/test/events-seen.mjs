// Finds described events that no integration test published (tests/events/check-published.ts).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.mjs';

/** Types of the events in the description of the topics. */
export function describedEvents(file = join(root, 'docs/api/asyncapi.json')) {
  const { channels } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(channels)
    .filter(([name]) => name !== 'webhook')
    .flatMap(([, { messages }]) => Object.keys(messages));
}

/** Events missing from those that the last integration run published. */
export const unseenEvents = (events, seen = join(root, '.local/test-events')) =>
  events.filter((type) => !existsSync(join(seen, type)));
