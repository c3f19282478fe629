import { provisionOrganisation } from '@bascule/gateway';
import { readJson, writePrivateJson } from './private-file.js';

export interface KeyPair {
  organisationId: string;
  publishable: string;
  secret: string;
}

/** The organisation that the stack prints keys of; the database holds only hashes, so the file keeps them. */
export async function firstOrganisation(
  path: string,
  gatewayEnvironment: NodeJS.ProcessEnv,
): Promise<KeyPair> {
  const kept = readJson(path) as KeyPair | null;
  if (kept) return kept;
  const created = await provisionOrganisation(gatewayEnvironment, { name: 'First organisation' });
  writePrivateJson(path, created);
  return created;
}
