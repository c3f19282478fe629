import { parseArguments, UsageError, uuidArgument } from '@bascule/operator-commands';

export interface OperatorCommand {
  name: 'timeline';
  paymentId: string;
}

/** @throws UsageError */
export function parseOperatorArguments(args: readonly string[]): OperatorCommand {
  const { positionals } = parseArguments(args, {});
  const [name = '', id, ...more] = positionals;
  if (name !== 'timeline') throw new UsageError(`unknown command: ${name}`);
  if (more.length > 0) throw new UsageError(`too many arguments: ${more.join(' ')}`);
  return { name, paymentId: uuidArgument(id, 'the id of the payment is missing') };
}
