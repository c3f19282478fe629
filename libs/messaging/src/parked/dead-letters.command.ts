import {
  operatorActor,
  type Output,
  parseArguments,
  runCommand,
  schemaOfService,
  UsageError,
  withDatabase,
} from '@bascule/operator-commands';
import { DeadLetters, type Resolution } from './dead-letters.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

const OPTIONS = {
  service: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  all: { type: 'boolean' },
} as const;

type Flags = ReturnType<typeof parseArguments<typeof OPTIONS>>['values'];

function wholeNumber(text: string, name: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`not a whole number: ${name} ${text}`);
  return text;
}

function idsOf(texts: readonly string[]): string[] {
  if (texts.length === 0) throw new UsageError('the ids are missing; `list` shows them');
  return texts.map((text) => wholeNumber(text, 'id'));
}

interface Request {
  letters: DeadLetters;
  ids: readonly string[];
  flags: Flags;
  output: Output;
}

/** Resolves to false when a part was refused or not found. */
type Action = (request: Request) => Promise<boolean>;

const list: Action = async ({ letters, flags: { limit, before, all }, output }) => {
  const pageSize = Math.min(
    Number(wholeNumber(limit ?? String(DEFAULT_LIMIT), '--limit')),
    MAX_LIMIT,
  );
  const page = await letters.list({
    limit: pageSize,
    before: before === undefined ? undefined : wholeNumber(before, '--before'),
    all: all ?? false,
  });
  for (const letter of page) output.json(letter);
  const last = page.at(-1);
  if (last !== undefined && page.length === pageSize) {
    output.note(`older ones: --before ${last.id}`);
  }
  return true;
};

const show: Action = async ({ letters, ids, output }) => {
  let isComplete = true;
  for (const id of idsOf(ids)) {
    const letter = await letters.show(id);
    if (letter !== null) {
      output.json(letter);
      continue;
    }
    isComplete = false;
    output.note(`${id}: not found`);
  }
  return isComplete;
};

const resolving =
  (resolve: (letters: DeadLetters, id: string, actor: string) => Promise<Resolution>): Action =>
  async ({ letters, ids, output }) => {
    const actor = operatorActor();
    let isComplete = true;
    for (const id of idsOf(ids)) {
      const outcome = await resolve(letters, id, actor);
      output.json({ id, outcome });
      if (outcome !== 'done') isComplete = false;
    }
    return isComplete;
  };

const ACTIONS: Record<string, Action> = {
  list,
  show,
  replay: resolving((letters, id, actor) => letters.replay(id, actor)),
  discard: resolving((letters, id, actor) => letters.discard(id, actor)),
};

/** `npm run operator -- dead-letters …` */
process.exitCode = await runCommand('dead-letters', (output) => {
  const { values: flags, positionals } = parseArguments(process.argv.slice(2), OPTIONS);
  const [name = '', ...ids] = positionals;
  const action = ACTIONS[name];
  if (action === undefined) throw new UsageError(`unknown command: ${name}`);
  return withDatabase({ schema: schemaOfService(flags.service) }, (dataSource) =>
    action({ letters: new DeadLetters(dataSource), ids, flags, output }),
  );
});
