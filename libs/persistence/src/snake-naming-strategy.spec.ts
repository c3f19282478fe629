import { describe, expect, it } from '@jest/globals';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const naming = new SnakeNamingStrategy();

describe('SnakeNamingStrategy', () => {
  it.each([
    ['dueAt', 'due_at'],
    ['orgId', 'org_id'],
    ['maxFeePerGas', 'max_fee_per_gas'],
    ['rawURLValue', 'raw_url_value'],
  ])('writes %s as %s', (property, column) => {
    expect(naming.columnName(property, undefined, [])).toBe(column);
  });

  it('names keys and indexes as Postgres does', () => {
    expect(naming.primaryKeyName('payments')).toBe('payments_pkey');
    expect(naming.uniqueConstraintName('payments', ['org_id', 'label'])).toBe(
      'payments_org_id_label_key',
    );
    expect(naming.indexName('app.payments', ['due_at'])).toBe('payments_due_at_idx');
    expect(naming.foreignKeyName('legs', ['payment_id'])).toBe('legs_payment_id_fkey');
  });
});
