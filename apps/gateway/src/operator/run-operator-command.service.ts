import type { KeyManagementService } from './key-management.service.js';
import type { OperatorCommand } from './operator-arguments.js';

/** Runs a command and returns the lines to print. */
export async function runOperatorCommand(
  management: KeyManagementService,
  command: OperatorCommand,
): Promise<string[]> {
  switch (command.name) {
    case 'organisations create':
      return [`organisation: ${await management.createOrganisation(command.organisation)}`];
    case 'organisations list':
      return (await management.organisations()).map(
        ({ id, name, allowedOrigins }) =>
          `${id}  ${name}  origins: ${allowedOrigins?.join(',') ?? 'any'}`,
      );
    case 'organisations restrict':
      await management.restrictOrigins(command.organisationId, command.origins);
      return [`origins: ${command.origins?.join(',') ?? 'any'}`];
    case 'keys create':
      return createKeys(management, command);
    case 'keys list':
      return listKeys(management, command.organisationId);
    case 'keys limit':
      await management.limit(command.keySetId, command.rateLimit);
      return [`limit: ${command.rateLimit ?? 'default'}`];
    case 'keys methods':
      await management.enableMethods(command.keySetId, command.methods);
      return [`methods: ${command.methods.join(',') || 'none'}`];
    case 'keys revoke':
      return (await management.revoke(command.id)).map((id) => `revoked: ${id}`);
  }
}

async function createKeys(
  management: KeyManagementService,
  command: OperatorCommand & { name: 'keys create' },
): Promise<string[]> {
  const { keySetId, publishable, secret } = await management.createKeys(command);
  return [
    `key set: ${keySetId}`,
    `permissions: ${command.permissions.join(',')}`,
    `publishable key: ${publishable}`,
    `secret key: ${secret}`,
    'The keys are not shown again.',
  ];
}

async function listKeys(management: KeyManagementService, organisationId: string | null) {
  const keys = await management.keys(organisationId);
  const now = new Date();
  return keys.map(({ id, kind, hint, expiresAt, revokedAt, set }) => {
    const isExpired = expiresAt !== null && expiresAt <= now;
    const state = revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active';
    const until = expiresAt === null ? '' : `  until ${expiresAt.toISOString()}`;
    const methods = set.methods.length === 0 ? '' : `  methods ${set.methods.join(',')}`;
    const prefix = kind === 'secret' ? 'sk_' : 'pk_';
    return `${id}  ${prefix}…${hint}  ${state}${until}  set ${set.id} "${set.label}" of ${set.organisationId}  ${set.permissions.join(',')}${methods}`;
  });
}
