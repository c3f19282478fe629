import {
  OperatorError,
  type Output,
  parseArguments,
  runCommand,
  schemaOfService,
  UsageError,
  withDatabase,
} from '@bascule/operator-commands';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ProjectionProgress,
  ProjectionStatesRepository,
} from './projection-states.repository.js';

const POLL_MS = 500;
/** A rebuild that has not begun by then: no process of the service runs, or only versions without rebuilds. */
const BEGINS_WITHIN_MS = 60_000;

const OPTIONS = {
  service: { type: 'string' },
  topic: { type: 'string', multiple: true },
  'accept-older-versions': { type: 'boolean' },
} as const;

async function list(states: ProjectionStatesRepository, output: Output): Promise<void> {
  for (const state of await states.all()) output.json(state);
}

/** Requests the rebuild from the running service and prints its progress until it is done. */
async function rebuild(
  states: ProjectionStatesRepository,
  { topics, acceptsOlder }: { topics: readonly string[]; acceptsOlder: boolean },
  output: Output,
): Promise<boolean> {
  const requested = await states.request(topics, { acceptsOlder });
  const unknown = topics.filter((topic) => !requested.includes(topic));
  if (unknown.length > 0) {
    throw new OperatorError(`the service has no projection of ${unknown.join(', ')}`);
  }
  if (requested.length === 0) throw new OperatorError('the service has no projections');
  const requestedAt = Date.now();
  let hasBegun = false;
  let printed = '';
  for (;;) {
    const all = (await states.all()).filter(({ topic }) => requested.includes(topic));
    const waiting = all.filter((state) => state.requestedAt !== null);
    const progress = all.map(progressOf).join('; ');
    if (progress !== printed) output.note(progress);
    printed = progress;
    if (waiting.length === 0) return conclude(all, output);
    hasBegun ||= all.some(({ startedAt }) => startedAt !== null) || waiting.length < all.length;
    if (!hasBegun && Date.now() - requestedAt > BEGINS_WITHIN_MS) {
      throw new OperatorError(
        'no process of the service has started the rebuild; the request remains',
      );
    }
    await delay(POLL_MS);
  }
}

function conclude(all: readonly ProjectionProgress[], output: Output): boolean {
  for (const { topic, tables, builtAt, records, failed, removed, newer } of all) {
    output.json({ topic, tables, builtAt, records, failed, removed, newer });
    if (failed !== '0') {
      output.note(`${topic}: ${failed} events were not applied, so no row was removed`);
    }
    if (newer !== '0') {
      output.note(
        `${topic}: ${newer} rows are newer than the topic or have no event in it, and stay; where the topic is complete, --accept-older-versions replaces or removes them`,
      );
    }
  }
  return all.every(({ failed, newer }) => failed === '0' && newer === '0');
}

function progressOf({ topic, requestedAt, startedAt, pass, records }: ProjectionProgress): string {
  if (requestedAt === null) return `${topic}: built`;
  if (startedAt === null) return `${topic}: waiting`;
  return `${topic}: pass ${pass}, ${records} records`;
}

/** `npm run operator -- projections …`: state and rebuilds of a service's projections. */
process.exitCode = await runCommand('projections', (output) => {
  const { values, positionals } = parseArguments(process.argv.slice(2), OPTIONS);
  const [name = '', ...rest] = positionals;
  if (rest.length > 0 || !['list', 'rebuild'].includes(name)) {
    throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  }
  return withDatabase<boolean | void>({ schema: schemaOfService(values.service) }, (dataSource) => {
    const states = new ProjectionStatesRepository(dataSource);
    if (name === 'list') return list(states, output);
    const acceptsOlder = values['accept-older-versions'] ?? false;
    return rebuild(states, { topics: values.topic ?? [], acceptsOlder }, output);
  });
});
