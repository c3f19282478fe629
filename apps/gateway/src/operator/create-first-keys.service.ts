import { PERMISSIONS } from '@bascule/contracts';
import { withKeyManagement } from './operator-database.client.js';

export interface FirstKeys {
  organisationId: string;
  /** Both are shown only here. */
  publishable: string;
  secret: string;
}

/** An organisation with a pair of keys that may do everything, for a stack that starts for the first time. */
export function createFirstKeys(
  env: NodeJS.ProcessEnv,
  names: { organisation: string; label: string; actor: string },
): Promise<FirstKeys> {
  return withKeyManagement(env, names.actor, async (management) => {
    const organisationId = await management.createOrganisation(names.organisation);
    const { publishable, secret } = await management.createKeys({
      organisationId,
      label: names.label,
      permissions: [...PERMISSIONS],
      expiresAt: null,
      rateLimit: null,
    });
    return { organisationId, publishable, secret };
  });
}
