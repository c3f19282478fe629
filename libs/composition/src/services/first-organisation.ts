import { createFirstKeys, type FirstKeys } from '@bascule/gateway';
import { readPrivateJson, writePrivateJson } from '../state/private-file.js';

/** The organisation whose keys the stack prints; the database has only hashes, so a file keeps them. */
export async function firstOrganisation(
  path: string,
  gatewayEnvironment: NodeJS.ProcessEnv,
): Promise<FirstKeys> {
  const kept = readPrivateJson(path) as FirstKeys | null;
  if (kept) return kept;
  const created = await createFirstKeys(gatewayEnvironment, {
    organisation: 'Example',
    label: 'first keys',
    actor: 'standalone',
  });
  writePrivateJson(path, created);
  return created;
}
