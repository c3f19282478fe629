import { dirname, relative } from 'node:path';
import type { Progress } from './progress.js';
import type { Settings } from '../settings/settings.config.js';
import type { StackFile } from '../state/stack-file.js';

/** Prints addresses, keys and next steps of a stack that has just started. */
export function announce(progress: Progress, { paths }: Settings, stack: StackFile): void {
  const chains = Object.entries(stack.chains).map(
    ([name, { chain_id, rpc_url }]) => `${name} (chain id ${chain_id}) ${rpc_url}`,
  );
  progress.line(`
Bascule is running.

  base URL         ${stack.base_url}
  publishable key  ${stack.keys.publishable}
  secret key       ${stack.keys.secret}
  chains           ${chains.join('\n                   ')}${processes(stack)}
  described in     ${relative(process.cwd(), paths.stackFile)}

Relaxed for this machine, never in production: WEBHOOK_ALLOW_LOOPBACK=true lets webhooks go
to plain http on 127.0.0.1. This machine holds the keys of the solver and of all attesters, who
together could take any open order of the intent escrow. All keys and chains are for play.

Next, in another terminal:  npm run first-payment
Ctrl-C stops everything; \`npm run reset\` removes its state.`);
}

function processes({ services, kafka, redis, pid }: StackFile): string {
  const [first] = services ?? [];
  if (services === undefined || first === undefined) return '';
  return `
  processes        ${services.length}, logs in ${relative(process.cwd(), dirname(first.log_file))}
  Kafka            ${kafka?.brokers.join(', ')}
  Redis            ${redis?.url}
  rolling restart  kill -HUP ${pid}`;
}
