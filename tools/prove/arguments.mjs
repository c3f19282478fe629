/** What was found and is not argued, and arguments of what was not found. */
export function againstArguments(found, argued) {
  const names = new Set(found);
  return {
    open: [...names].filter((name) => !argued[name]),
    stale: Object.keys(argued).filter((name) => !names.has(name)),
  };
}
