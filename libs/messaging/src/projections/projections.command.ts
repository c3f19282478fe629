import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printer, runOperatorGroup, UsageError } from '../operator/operator-command.js';
import { withServiceDatabase } from '../operator/service-database.js';
import { type ProjectionProgress, ProjectionStates } from './projection-states.repository.js';

const LOOK_MS = 500;
/** Nothing has begun by then: no process of the service is running, or none of a version that rebuilds. */
const BEGINS_WITHIN_MS = 60_000;

function read(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        service: { type: 'string' },
        topic: { type: 'string', multiple: true },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable', { cause: error });
  }
}

async function list(states: ProjectionStates): Promise<number> {
  for (const state of await states.all()) printer.json(state);
  return 0;
}

/** Asks the running service, and tells how far it is until it is done. */
async function rebuild(states: ProjectionStates, topics: readonly string[]): Promise<number> {
  const requested = await states.request(topics);
  const unknown = topics.filter((topic) => !requested.includes(topic));
  if (unknown.length > 0) throw new Error(`the service keeps nothing of ${unknown.join(', ')}`);
  if (requested.length === 0) throw new Error('the service has no projections');
  const asked = Date.now();
  let hasBegun = false;
  let told = '';
  for (;;) {
    const all = (await states.all()).filter(({ topic }) => requested.includes(topic));
    const waiting = all.filter(({ requestedAt }) => requestedAt !== null);
    const now = all.map(progressOf).join('; ');
    if (now !== told) printer.note(now);
    told = now;
    if (waiting.length === 0) return conclude(all);
    hasBegun ||= all.some(({ startedAt }) => startedAt !== null) || waiting.length < all.length;
    if (!hasBegun && Date.now() - asked > BEGINS_WITHIN_MS) {
      throw new Error('no process of the service has begun; the request stays');
    }
    await delay(LOOK_MS);
  }
}

function conclude(all: readonly ProjectionProgress[]): number {
  for (const { topic, tables, builtAt, records, failed, removed } of all) {
    printer.json({ topic, tables, builtAt, records, failed, removed });
  }
  return all.every(({ failed }) => failed === '0') ? 0 : 1;
}

function progressOf({ topic, requestedAt, startedAt, pass, records }: ProjectionProgress): string {
  if (requestedAt === null) return `${topic}: built`;
  if (startedAt === null) return `${topic}: waiting`;
  return `${topic}: pass ${pass}, ${records} records`;
}

/** For an operator: what a service keeps of others' topics, and reading it all again. */
process.exitCode = await runOperatorGroup('projections', () => {
  const { values, positionals } = read(process.argv.slice(2));
  const [name = '', ...rest] = positionals;
  if (rest.length > 0 || !['list', 'rebuild'].includes(name)) {
    throw new UsageError(`no such command: ${positionals.join(' ')}`);
  }
  return withServiceDatabase(values.service, (dataSource) => {
    const states = new ProjectionStates(dataSource);
    return name === 'list' ? list(states) : rebuild(states, values.topic ?? []);
  });
});
