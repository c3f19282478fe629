import { describe, expect, it } from '@jest/globals';
import { otherMethods, ROUTES } from './route-table.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

const find = (method: string, path: string) =>
  ROUTES.find((route) => route.method === method && route.path === path);

describe('the route table', () => {
  it('contains each method and path once', () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('refuses publishable keys on webhooks, for every method', () => {
    const webhooks = ROUTES.filter(({ service }) => service === 'webhook-dispatch');
    expect(webhooks.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /orgs/webhooks',
      'GET /orgs/webhooks',
      'PATCH /orgs/webhooks',
      'DELETE /orgs/webhooks',
      'POST /orgs/webhooks/rotate-secret',
      'POST /orgs/webhooks/test',
      'GET /orgs/webhooks/deliveries',
      'POST /orgs/webhooks/deliveries/resend-failed',
      'GET /orgs/webhooks/deliveries/:delivery_id',
      'POST /orgs/webhooks/deliveries/:delivery_id/resend',
    ]);
    expect(new Set(webhooks.map(({ access }) => access))).toEqual(new Set(['secret-key']));
  });

  it('lists the methods that a path refuses', () => {
    const webhooks = otherMethods(ROUTES, METHODS).find(({ path }) => path === '/orgs/webhooks');
    expect(webhooks).toEqual({
      path: '/orgs/webhooks',
      allowed: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      others: ['PUT', 'TRACE'],
    });
    const prices = otherMethods(ROUTES, METHODS).find(({ path }) => path === '/prices');
    expect(prices?.allowed).toEqual(['POST']);
  });

  it('has a long timeout only on routes that wait', () => {
    expect(ROUTES.filter(({ timeout }) => timeout === 'long')).toEqual([
      find('POST', '/payments/withdraw/confirm'),
    ]);
  });

  it('requires a key unless another credential replaces it', () => {
    const keyless = ROUTES.filter(({ access }) => !access.endsWith('-key'));
    expect(keyless.map(({ path }) => path)).toEqual([
      '/funding/:payment_id',
      '/funding/:payment_id/return',
      '/providers/:name/callbacks',
    ]);
  });
});
