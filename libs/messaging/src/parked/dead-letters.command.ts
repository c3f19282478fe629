import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { printer, runOperatorGroup, UsageError } from '../operator/operator-command.js';
import { withServiceDatabase } from '../operator/service-database.js';
import { DeadLetters, type Resolution } from './dead-letters.js';

const DEFAULT_LIMIT = 50;
const MOST = 1_000;

const OPTIONS = {
  service: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  all: { type: 'boolean' },
} as const;

function read(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable', { cause: error });
  }
}

type Flags = ReturnType<typeof read>['values'];

function whole(text: string, name: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`${name} ${text} is no whole number`);
  return text;
}

function idsOf(texts: readonly string[]): string[] {
  if (texts.length === 0) throw new UsageError('which? Give the ids that `list` shows');
  return texts.map((text) => whole(text, 'id'));
}

type Action = (letters: DeadLetters, ids: readonly string[], flags: Flags) => Promise<number>;

const list: Action = async (letters, _, { limit, before, all }) => {
  const most = Math.min(Number(whole(limit ?? String(DEFAULT_LIMIT), '--limit')), MOST);
  const page = await letters.list({
    limit: most,
    before: before === undefined ? undefined : whole(before, '--before'),
    all: all ?? false,
  });
  for (const letter of page) printer.json(letter);
  const last = page.at(-1);
  if (last !== undefined && page.length === most) printer.note(`older ones: --before ${last.id}`);
  return 0;
};

const show: Action = async (letters, ids) => {
  let missing = 0;
  for (const id of idsOf(ids)) {
    const letter = await letters.show(id);
    if (letter !== null) {
      printer.json(letter);
      continue;
    }
    missing += 1;
    printer.note(`${id}: not found`);
  }
  return missing === 0 ? 0 : 1;
};

const resolving =
  (resolve: (letters: DeadLetters, id: string, actor: string) => Promise<Resolution>): Action =>
  async (letters, ids) => {
    const actor = `operator ${userInfo().username}`;
    let refused = 0;
    for (const id of idsOf(ids)) {
      const outcome = await resolve(letters, id, actor);
      printer.json({ id, outcome });
      if (outcome !== 'done') refused += 1;
    }
    return refused === 0 ? 0 : 1;
  };

const ACTIONS: Record<string, Action> = {
  list,
  show,
  replay: resolving((letters, id, actor) => letters.replay(id, actor)),
  discard: resolving((letters, id, actor) => letters.discard(id, actor)),
};

/** For an operator: what a service gave up, and another try for it, or none. */
process.exitCode = await runOperatorGroup('dead-letters', () => {
  const { values, positionals } = read(process.argv.slice(2));
  const [name = '', ...ids] = positionals;
  const action = ACTIONS[name];
  if (action === undefined) throw new UsageError(`no such command: ${name}`);
  return withServiceDatabase(values.service, (dataSource) =>
    action(new DeadLetters(dataSource), ids, values),
  );
});
