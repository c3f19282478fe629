/** Takes `--as NAME`, which every command accepts, out of the arguments. */
export function withoutActor(args) {
  const index = args.findIndex((arg) => arg === '--as' || arg.startsWith('--as='));
  if (index === -1) return { as: undefined, rest: args };
  const isJoined = args[index].includes('=');
  const as = isJoined ? args[index].slice('--as='.length) : (args[index + 1] ?? '');
  const rest = [...args.slice(0, index), ...args.slice(index + (isJoined ? 1 : 2))];
  return { as: as === '' ? '-' : as, rest };
}
