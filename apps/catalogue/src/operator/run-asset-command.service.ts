import { setTimeout as delay } from 'node:timers/promises';
import type { AssetManagementService, Change } from './asset-management.service.js';
import type { AssetCommand } from './operator-arguments.js';
import { described } from './token-contract.client.js';

const WAIT_MS = 5_000;
const POLL_MS = 100;

/** Runs a command and returns the lines to print. */
export async function runAssetCommand(
  management: AssetManagementService,
  command: AssetCommand,
  maxWaitMs = WAIT_MS,
): Promise<string[]> {
  switch (command.name) {
    case 'list':
      return list(management, command);
    case 'history':
      return (await management.history(command.id)).map(
        ({ at, actor, action, details }) =>
          `${at.toISOString()}  ${actor}  ${action}  ${JSON.stringify(details)}`,
      );
    case 'add': {
      const added = await management.add(command.id, command.changes, command);
      const stored = `${added.id}: ${described(added.stored)}`;
      return [stored, ...(await outcome(management, added, maxWaitMs))];
    }
    default:
      return outcome(management, await change(management, command), maxWaitMs);
  }
}

function change(
  management: AssetManagementService,
  command: Exclude<AssetCommand, { name: 'list' | 'history' | 'add' }>,
): Promise<Change> {
  switch (command.name) {
    case 'override':
      return management.override(command.id, command.changes, command.isSure);
    case 'hide':
      return management.hide(command.id);
    case 'show':
      return management.show(command.id);
    case 'reset':
      return management.reset(command.id);
  }
}

async function outcome(
  management: AssetManagementService,
  recorded: Change,
  maxWaitMs: number,
): Promise<string[]> {
  const end = Date.now() + maxWaitMs;
  while (!(await management.isApplied(recorded))) {
    if (Date.now() > end) {
      return [
        `${recorded.id}: recorded; no running catalogue has applied it yet, the next one to start will`,
      ];
    }
    await delay(POLL_MS);
  }
  return [`${recorded.id}: applied and published`];
}

async function list(
  management: AssetManagementService,
  { chain, overridden }: AssetCommand & { name: 'list' },
): Promise<string[]> {
  const overrides = new Map((await management.overrides()).map((row) => [row.id, row]));
  const assets = (await management.listed()).filter(
    ({ id }) =>
      (chain === null || id.startsWith(`${chain}:`)) && (!overridden || overrides.has(id)),
  );
  return assets.map(({ id, asset, listed }) => {
    const override = overrides.get(id);
    const changes = Object.keys(override?.changes ?? {});
    return [
      id,
      asset.symbol,
      `${asset.decimals} decimals`,
      listed ? 'listed' : override?.hidden ? 'hidden' : 'no longer listed',
      ...(changes.length > 0 ? [`overridden: ${changes.sort().join(', ')}`] : []),
    ].join('  ');
  });
}
