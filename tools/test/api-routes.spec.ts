import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { handlersIn, routeProblems, type GatewayRoute } from './api-routes.js';

const root = join(import.meta.dirname, '../..');
const { ROUTES } = (await import(`${root}/apps/gateway/src/routing/route-table.ts`)) as {
  ROUTES: readonly GatewayRoute[];
};

/** Services with an API of their own, which clients of the gateway never call. */
const OUTSIDE_THE_GATEWAY = ['attester', 'sandbox-provider', 'solver'];

const handlers = globSync('apps/*/src/**/*.controller.ts', { cwd: root })
  .filter((file) => !OUTSIDE_THE_GATEWAY.includes(file.split('/')[1] ?? ''))
  .flatMap((file) => handlersIn(file, readFileSync(join(root, file), 'utf8')));

const added = (decorators: string): string[] => {
  const text = `@Controller('payments') class AddedController { ${decorators} handle() {} }`;
  const handler = handlersIn('apps/payment/src/added/added.controller.ts', text);
  return routeProblems([...handlers, ...handler], ROUTES);
};

describe('the API', () => {
  it('has a route in the gateway and a permission for every handler', () => {
    expect(handlers.length).toBeGreaterThan(20);
    expect(routeProblems(handlers, ROUTES)).toEqual([]);
  });

  it('refuses a controller without a route in the gateway', () => {
    expect(added("@Post('refunds') @RequirePermission('payments:write')")).toEqual([
      expect.stringContaining('POST /payments/refunds of payment has no route in the gateway'),
    ]);
  });

  it('refuses a handler without a permission', () => {
    expect(added('@Get()')).toEqual([
      expect.stringContaining('GET /payments of payment has no permission'),
    ]);
    expect(added("@Post('refunds') @Public()")).toHaveLength(2);
  });

  it('refuses a method and a path that cannot be read', () => {
    expect(() => added('@All() @Public()')).toThrow('@All has no route in the gateway');
    expect(() => added('@Get(PATH) @Public()')).toThrow('@Get(PATH): expected a string literal');
  });

  it('refuses a handler that demands another access than its route', () => {
    expect(added("@Get() @AllowCallers('funding')")).toEqual([
      'GET /payments of payment demands funding-link, its route api-key',
    ]);
  });

  it('refuses a route without a controller', () => {
    const route = { service: 'payment', method: 'GET', path: '/refunds', access: 'api-key' };
    expect(routeProblems(handlers, [...ROUTES, route])).toEqual([
      'GET /refunds of payment has no controller',
    ]);
  });
});
