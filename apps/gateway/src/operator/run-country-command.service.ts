import type { CountryCommand } from './country-arguments.js';
import type { CountryRulesService } from './country-rules.service.js';

/** Runs a command and returns the lines to print. */
export async function runCountryCommand(
  rules: CountryRulesService,
  command: CountryCommand,
): Promise<string[]> {
  switch (command.name) {
    case 'countries list': {
      const { prohibited, methods } = await rules.rules();
      const restricted = Object.entries(methods).sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        `prohibited  ${prohibited.join(', ') || 'nowhere'}`,
        ...restricted.map(([method, places]) => `${method}  only in ${places.join(', ')}`),
      ];
    }
    case 'countries prohibit':
      await rules.prohibit(command.places);
      return [`prohibited: ${command.places.join(', ')}`];
    case 'countries permit':
      await rules.permit(command.places);
      return [`permitted: ${command.places.join(', ')}`];
    case 'countries restrict':
      await rules.restrict(command.method, command.places);
      return [`${command.method}: only in ${command.places.join(', ')}`];
    case 'countries unrestrict':
      await rules.unrestrict(command.method);
      return [`${command.method}: everywhere`];
  }
}
