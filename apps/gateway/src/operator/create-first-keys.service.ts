import { PERMISSIONS } from '@bascule/contracts';
import { withKeyManagement } from './operator-database.client.js';

export interface FirstKeys {
  organisationId: string;
  /** Both keys are returned only once. */
  publishable: string;
  secret: string;
}

/** Creates an organisation and a pair of keys with all permissions for a new stack. */
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
      methods: [],
      expiresAt: null,
      rateLimit: null,
      clientRateLimit: null,
    });
    return { organisationId, publishable, secret };
  });
}
