import { setTimeout as delay } from 'node:timers/promises';
import type { AssetManagementService, Change } from './asset-management.service.js';
import type { AssetCommand } from './operator-arguments.js';

const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Carries a command out; the lines are what the operator reads. */
export async function runAssetCommand(
  management: AssetManagementService,
  command: AssetCommand,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  switch (command.name) {
    case 'list':
      return list(management, command);
    case 'history':
      return (await management.history(command.id)).map(
        ({ at, actor, action, details }) =>
          `${at.toISOString()}  ${actor}  ${action}  ${JSON.stringify(details)}`,
      );
    default:
      return outcome(management, await change(management, command), patienceMs);
  }
}

function change(
  management: AssetManagementService,
  command: Exclude<AssetCommand, { name: 'list' | 'history' }>,
): Promise<Change> {
  switch (command.name) {
    case 'add':
      return management.add(command.id, command.changes, command);
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
  said: Change,
  patienceMs: number,
): Promise<string[]> {
  const end = Date.now() + patienceMs;
  while (!(await management.isFollowed(said))) {
    if (Date.now() > end) {
      return [`${said.id}: recorded; no running catalogue follows it yet, the next to start will`];
    }
    await delay(LOOK_EVERY_MS);
  }
  return [`${said.id}: followed and published`];
}

async function list(
  management: AssetManagementService,
  { chain, overridden }: AssetCommand & { name: 'list' },
): Promise<string[]> {
  const said = new Map((await management.said()).map((row) => [row.id, row]));
  const assets = (await management.listed()).filter(
    ({ id }) => (chain === null || id.startsWith(`${chain}:`)) && (!overridden || said.has(id)),
  );
  return assets.map(({ id, asset, listed }) => {
    const word = said.get(id);
    const changes = Object.keys(word?.changes ?? {});
    return [
      id,
      asset.symbol,
      `${asset.decimals} decimals`,
      listed ? 'listed' : word?.hidden ? 'hidden' : 'no longer listed',
      ...(changes.length > 0 ? [`operator says: ${changes.sort().join(', ')}`] : []),
    ].join('  ');
  });
}
