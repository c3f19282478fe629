import { UsageError } from '@bascule/operator-commands';
import { describe, expect, it } from '@jest/globals';
import { parseOperatorArguments } from './operator-arguments.js';

const parse = (line: string) => parseOperatorArguments(line.split(' '));
const ID = '0192e4a0-7b5c-7c3e-9f00-000000000001';

describe('the operator’s arguments', () => {
  it.each([
    ['rotate-keys', { name: 'rotate-keys' }],
    ['list --organisation o', { name: 'list', orgId: 'o' }],
    [`show ${ID} --organisation o`, { name: 'show', orgId: 'o', id: ID }],
    [`--organisation o resend ${ID}`, { name: 'resend', orgId: 'o', id: ID }],
    [
      'resend-failed --organisation o --since 2026-11-21 --label l',
      { name: 'resend-failed', orgId: 'o', since: '2026-11-21', label: 'l' },
    ],
    [
      'test --organisation o --label l --event-type WORKFLOW_FAILED',
      { name: 'test', orgId: 'o', label: 'l', event_type: 'WORKFLOW_FAILED' },
    ],
    ['deliveries --organisation o', { name: 'deliveries', orgId: 'o', limit: 25 }],
    [
      'deliveries --organisation o --status FAILED --limit 7 --pagination-key k',
      { name: 'deliveries', orgId: 'o', status: 'FAILED', limit: 7, pagination_key: 'k' },
    ],
  ])('%s', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it.each([
    'lose --organisation o',
    'list',
    'show --organisation o',
    'show x --organisation o',
    `show ${ID} ${ID} --organisation o`,
    'resend-failed --organisation o',
    'resend-failed --organisation o --since soon',
    'test --organisation o',
    'test --organisation o --label l --event-type WORKFLOW_LOST',
    'deliveries --organisation o --status LOST',
    'deliveries --organisation o --limit 0',
    'deliveries --organisation o --limit 1e3',
    'deliveries --organisation o --colour red',
  ])('rejects %s', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });
});
