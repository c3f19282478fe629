// `npm run operator -- …`: hands each group of commands to the app or library that owns it. Beside a stack of this
// machine no environment is needed; elsewhere DATABASE_URL is that of the role of the service that is worked on.
import { withoutActor } from './operator/actor.mjs';
import { groups, usage } from './operator/groups.mjs';
import { localEnvironment } from './operator/local-stack.mjs';

const WRONG_USAGE = 2;

const [name, ...args] = process.argv.slice(2);
const { as, rest } = withoutActor(args);
const group = groups[name];
if (group === undefined) {
  const asked = name === undefined || name === 'help' || name === '--help';
  if (!asked) console.error(`${name}: unknown group of commands\n`);
  console.error(usage());
  process.exitCode = asked ? 0 : WRONG_USAGE;
} else {
  if (as !== undefined) process.env.OPERATOR = as;
  if (!group.readsEnvironments) {
    Object.assign(process.env, localEnvironment(group.serviceOf(rest)));
  }
  const command = group.command();
  if (command.endsWith('.ts')) await import('./source-loader.mjs');
  process.argv = [process.argv[0], command, ...(group.keepsName ? [name] : []), ...rest];
  await import(command);
  if (process.exitCode === WRONG_USAGE) console.error(`\n${usage(name)}`);
}
