import {
  operatorActor,
  parseArguments,
  requiredFlag,
  runCommand,
  schemaOfService,
  textFlags,
  UsageError,
  withDatabase,
} from '@bascule/operator-commands';
import type { Output } from '@bascule/operator-commands';
import type { DataSource } from 'typeorm';
import { getAddress, isAddress } from 'viem';
import { abandonUnsigned, waitingForKeys } from './abandoned-reservations.js';
import type { KeyOnChain } from './abandoned-reservations.js';

const OPTIONS = textFlags('service', 'chain', 'signer');

type Flags = ReturnType<typeof parseArguments<typeof OPTIONS>>['values'];
type Action = (dataSource: DataSource, output: Output) => Promise<void>;

const list: Action = async (dataSource, output) => {
  for (const key of await waitingForKeys(dataSource)) output.json(key);
};

const abandon =
  (key: KeyOnChain, actor: string): Action =>
  async (dataSource, output) => {
    const abandoned = await abandonUnsigned(dataSource, key, actor);
    for (const reservation of abandoned) output.json(reservation);
    output.note(`${abandoned.length} given up`);
  };

function actionOf(name: string | undefined, flags: Flags): Action {
  if (name === 'list') return list;
  if (name !== 'abandon') throw new UsageError(`unknown command: ${name ?? ''}`);
  const signer = requiredFlag(flags, 'signer');
  if (!isAddress(signer)) throw new UsageError(`not an address: --signer ${signer}`);
  const key = { chain: requiredFlag(flags, 'chain'), signer: getAddress(signer) };
  return abandon(key, operatorActor());
}

/** `npm run operator -- transactions …`; prints one JSON object per line. */
process.exitCode = await runCommand('transactions', (output) => {
  const { values: flags, positionals } = parseArguments(process.argv.slice(2), OPTIONS);
  const action = actionOf(positionals[0], flags);
  return withDatabase({ schema: schemaOfService(flags.service) }, (dataSource) =>
    action(dataSource, output),
  );
});
