import { prefixOfKey } from '../callers/api-key.js';
import type { KeySetEntity } from '../persistence/key-set.entity.js';
import type { CappedClientLimit, KeyManagementService } from './key-management.service.js';
import type { KeySetLimits } from './key-set-limits.js';
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
        ({ id, name, liveOrganisationId, allowedOrigins, rateLimit }) =>
          `${id}  ${name}${testOf(liveOrganisationId)}  origins: ${allowedOrigins?.join(',') ?? 'any'}  limit: ${rateLimit ?? 'default'}`,
      );
    case 'organisations limit':
      await management.limitOrganisation(command.organisationId, command.rateLimit);
      return [
        ...shownLimits(command),
        ...cappedLines(await management.cappedClientLimits(command.organisationId)),
      ];
    case 'organisations restrict':
      await management.restrictOrigins(command.organisationId, command.origins);
      return [`origins: ${command.origins?.join(',') ?? 'any'}`];
    case 'keys create':
      return createKeys(management, command);
    case 'keys list':
      return listKeys(management, command.organisationId);
    case 'keys limit':
      await management.limit(command.keySetId, command.limits);
      return [
        ...shownLimits(command.limits),
        ...(await clientLimitNotes(management, command.keySetId, command.limits)),
      ];
    case 'keys rotate':
      return rotateKeys(management, command);
    case 'keys methods':
      await management.enableMethods(command.keySetId, command.methods);
      return [`methods: ${command.methods.join(',') || 'none'}`];
    case 'keys revoke':
      return (await management.revoke(command.id)).map((id) => `revoked: ${id}`);
    case 'audit list':
      return (await management.audit(command.query)).map(
        ({ id, at, actor, action, subjectId, details }) =>
          JSON.stringify({ id, at, actor, action, subject_id: subjectId, details }),
      );
  }
}

const testOf = (liveOrganisationId: string | null): string =>
  liveOrganisationId === null ? '' : `  test organisation of ${liveOrganisationId}`;

const shownLimits = ({ rateLimit, clientRateLimit }: KeySetLimits): string[] => [
  ...(rateLimit === undefined ? [] : [`limit: ${rateLimit ?? 'default'}`]),
  ...(clientRateLimit === undefined ? [] : [`client limit: ${clientRateLimit ?? 'default'}`]),
];

const cappedLines = (capped: readonly CappedClientLimit[]): string[] =>
  capped.map(
    ({ id, label, set, largest }) =>
      `client limit ${set} of key set ${id} "${label}" is capped at ${largest}: half of what publishable keys have`,
  );

/** Tells what applies of a client limit that a command sets, since it is capped. */
async function clientLimitNotes(
  management: KeyManagementService,
  keySetId: string,
  { clientRateLimit }: KeySetLimits,
): Promise<string[]> {
  const capped = cappedLines(await management.cappedClientLimits(keySetId));
  if (typeof clientRateLimit !== 'number') return capped;
  return [
    ...capped,
    'Of a client limit at most 45 % of the limits of the key and of the organisation apply: see GET /orgs/keys/self.',
  ];
}

async function rotateKeys(
  management: KeyManagementService,
  { id, ...times }: OperatorCommand & { name: 'keys rotate' },
): Promise<string[]> {
  const rotated = await management.rotate(id, times);
  return [
    ...rotated.flatMap(({ retired, retiresAt, id: created, key }) => [
      `retired: ${retired} at ${retiresAt.toISOString()}`,
      `${key.startsWith('sk_') ? 'secret' : 'publishable'} key: ${key} (${created})`,
    ]),
    'The keys are not shown again.',
  ];
}

async function createKeys(
  management: KeyManagementService,
  command: OperatorCommand & { name: 'keys create' },
): Promise<string[]> {
  const { keySetId, organisationId, publishable, secret } = await management.createKeys(command);
  return [
    ...(command.mode === 'test' ? [`test organisation: ${organisationId}`] : []),
    `key set: ${keySetId}`,
    `permissions: ${command.permissions.join(',')}`,
    `publishable key: ${publishable}`,
    `secret key: ${secret}`,
    ...(await clientLimitNotes(management, keySetId, command)),
    'The keys are not shown again.',
  ];
}

const limitsOf = ({ rateLimit, clientRateLimit }: KeySetEntity): string =>
  (rateLimit === null ? '' : `  limit ${rateLimit}`) +
  (clientRateLimit === null ? '' : `  client limit ${clientRateLimit}`);

async function listKeys(management: KeyManagementService, organisationId: string | null) {
  const keys = await management.keys(organisationId);
  const now = new Date();
  return keys.map(({ id, kind, mode, hint, expiresAt, revokedAt, set }) => {
    const isExpired = expiresAt !== null && expiresAt <= now;
    const state = revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active';
    const until = expiresAt === null ? '' : `  until ${expiresAt.toISOString()}`;
    const methods = set.methods.length === 0 ? '' : `  methods ${set.methods.join(',')}`;
    const limits = limitsOf(set);
    return `${id}  ${prefixOfKey(kind, mode)}…${hint}  ${state}${until}  set ${set.id} "${set.label}" of ${set.organisationId}  ${set.permissions.join(',')}${methods}${limits}`;
  });
}
