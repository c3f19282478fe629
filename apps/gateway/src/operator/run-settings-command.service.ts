import type { OrganisationEntity } from '../persistence/organisation.entity.js';
import type { OrganisationSettingsService } from './organisation-settings.service.js';
import type { SettingsCommand } from './settings-arguments.js';

/** Runs a command and returns the lines to print. */
export async function runSettingsCommand(
  settings: OrganisationSettingsService,
  command: SettingsCommand,
): Promise<string[]> {
  const { organisationId } = command;
  switch (command.name) {
    case 'rev-shares create':
      await settings.createRevenueShare(organisationId, command.share);
      return [`revenue share: ${command.share.name}`];
    case 'rev-shares list':
      return (await settings.revenueShares(organisationId)).map(({ name, receivers, disabledAt }) =>
        [
          name,
          disabledAt === null ? 'enabled' : `disabled since ${disabledAt.toISOString()}`,
          ...receivers.map(({ chain, address, pct }) => `${chain}:${address}=${pct}`),
        ].join('  '),
      );
    case 'rev-shares disable':
      await settings.disableRevenueShare(organisationId, command.share);
      return [`disabled: ${command.share}`];
    case 'edges open':
      await settings.openEdge(organisationId, command.edge);
      return [`open: ${command.edge}`];
    case 'edges close':
      await settings.closeEdge(organisationId, command.edge);
      return [`closed: ${command.edge}`];
    case 'edges list':
      return (await settings.organisation(organisationId)).openedEdges;
    case 'quotas set':
      await settings.setQuotas(organisationId, command.quotas);
      return quotaLines(await settings.organisation(organisationId));
    case 'quotas list':
      return quotaLines(await settings.organisation(organisationId));
    case 'redirect-origins add':
      await settings.addRedirectOrigin(organisationId, command.origin);
      return [`added: ${command.origin}`];
    case 'redirect-origins remove':
      await settings.removeRedirectOrigin(organisationId, command.origin);
      return [`removed: ${command.origin}`];
    case 'redirect-origins list':
      return (await settings.organisation(organisationId)).redirectOrigins;
  }
}

/** Smallest quota that has a share for secret keys and one for a second visitor. */
const SMALLEST_DIVIDED_QUOTA = 3;

const quotaLines = ({ quotas }: Pick<OrganisationEntity, 'quotas'>): string[] => [
  `quotes per second     ${quotas.quotes_per_second ?? 'default'}`,
  `unfunded payments     ${quotas.unfunded_payments ?? 'default'}`,
  `unsigned withdrawals  ${quotas.unsigned_withdrawals ?? 'default'}`,
  ...(Object.values(quotas).some((quota) => quota < SMALLEST_DIVIDED_QUOTA)
    ? [
        `A quota below ${SMALLEST_DIVIDED_QUOTA} is not divided: one visitor with the publishable key can use it up.`,
      ]
    : []),
];
