import { OWN_ROUTES, ROUTES } from '../../apps/gateway/src/routing/route-table.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';

const KEYS: Record<string, string> = {
  'api-key': 'publishable or secret',
  'secret-key': 'secret',
  'funding-link': 'link',
  'return-link': 'link',
  'provider-callback': 'signature of the provider',
};

/** Lists the endpoints as rows of the README's table. */
export const endpointRows = (permissions: ReadonlyMap<string, string>): string[][] =>
  [...ROUTES, ...OWN_ROUTES]
    .map(({ method, path, access }) => {
      const { summary }: Operation = OPERATIONS[`${method} ${path}` as keyof typeof OPERATIONS];
      const permission = permissions.get(`${method} ${path}`);
      const shown = path.replace(/:(\w+)/g, '{$1}');
      return [
        `\`${method} ${shown}\``,
        KEYS[access] ?? access,
        permission === undefined ? '–' : `\`${permission}\``,
        summary,
      ];
    })
    .concat([
      ['`GET /openapi.json`', 'none', '–', 'Get this description as OpenAPI 3.1'],
      ['`GET /docs`', 'none', '–', 'Read this description in a browser'],
    ]);
