import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ClientBudgets } from './client-budgets.js';

const ADDRESS = [{ name: '203.0.113.9', clients: 1 }];
const OTHER = [{ name: '203.0.113.10', clients: 1 }];
const wide = (name: string) => [
  { name, clients: 1 },
  { name: '2001:db8:1::/48', clients: 2 },
];

describe('the budget of a client', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is its own, and begins anew after a minute', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const budgets = new ClientBudgets(10);
    expect(budgets.charge(ADDRESS, 10)).toBeNull();
    now.mockReturnValue(11_000);
    expect(budgets.charge(ADDRESS, 1)).toBe(50_000);
    expect(budgets.charge(OTHER, 10)).toBeNull();
    now.mockReturnValue(61_000);
    expect(budgets.charge(ADDRESS, 10)).toBeNull();
  });

  it('has what was given back', () => {
    const budgets = new ClientBudgets(10);
    expect(budgets.charge(ADDRESS, 10)).toBeNull();
    budgets.giveBack(ADDRESS, 4);
    expect(budgets.charge(ADDRESS, 5)).not.toBeNull();
    expect(budgets.charge(ADDRESS, 4)).toBeNull();
  });

  it('is not more than that of a wider block of addresses', () => {
    const budgets = new ClientBudgets(10);
    expect(budgets.charge(wide('2001:db8:1:1::/64'), 10)).toBeNull();
    expect(budgets.charge(wide('2001:db8:1:2::/64'), 10)).toBeNull();
    expect(budgets.charge(wide('2001:db8:1:3::/64'), 1)).not.toBeNull();
  });
});
