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
  }
}
