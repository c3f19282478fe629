/** Lists findings without an argument, and arguments without a finding. */
export function againstArguments(found, argued) {
  const names = new Set(found);
  return {
    open: [...names].filter((name) => !argued[name]),
    stale: Object.keys(argued).filter((name) => !names.has(name)),
  };
}
