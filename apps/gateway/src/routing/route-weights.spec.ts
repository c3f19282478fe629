import { describe, expect, it } from '@jest/globals';
import { OWN_ROUTES, ROUTES } from './route-table.js';
import { ROUTE_WEIGHTS, weightOf } from './route-weights.js';

describe('the weights of routes', () => {
  it('name routes that exist, with positive integers', () => {
    const names = [...ROUTES, ...OWN_ROUTES].map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(ROUTE_WEIGHTS).filter((name) => !names.includes(name))).toEqual([]);
    expect(
      Object.values(ROUTE_WEIGHTS).every((weight) => Number.isInteger(weight) && weight > 1),
    ).toBe(true);
  });

  it('are one for a route that is not listed', () => {
    expect(weightOf({ method: 'GET', path: '/assets' })).toBe(1);
    expect(weightOf({ method: 'POST', path: '/payments/quotes' })).toBe(5);
  });

  it('are highest where one request reads many payments', () => {
    expect(weightOf({ method: 'POST', path: '/payments/issues' })).toBe(10);
    expect(weightOf({ method: 'GET', path: '/payments/history' })).toBe(10);
  });
});
