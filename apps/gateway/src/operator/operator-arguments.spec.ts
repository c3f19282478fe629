import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '@bascule/contracts';
import { parseOperatorCommand } from './operator-arguments.js';
import { UsageError } from '@bascule/operator-commands';

const now = new Date('2026-11-01T00:00:00Z');
const id = '0190b2c3-0000-7000-8000-000000000001';
const parse = (line: string) => parseOperatorCommand(line.split(' '), now);

describe('the operator command line', () => {
  it('creates organisations and keys', () => {
    expect(parse('organisations create --name Shop')).toEqual({
      name: 'organisations create',
      organisation: 'Shop',
    });
    expect(parse(`keys create --organisation ${id} --label web`)).toEqual({
      name: 'keys create',
      organisationId: id,
      mode: 'live',
      label: 'web',
      permissions: [...PERMISSIONS],
      methods: [],
      expiresAt: null,
      rateLimit: null,
      clientRateLimit: null,
    });
    expect(
      parse(
        `keys create --organisation ${id} --label web --permissions quotes,assets --expires-at 2027-01-01 --limit 50 --client-limit 5`,
      ),
    ).toMatchObject({
      permissions: ['assets', 'quotes'],
      expiresAt: new Date('2027-01-01'),
      rateLimit: 50,
      clientRateLimit: 5,
    });
    expect(parse(`keys create --organisation ${id} --label web --test`)).toMatchObject({
      mode: 'test',
    });
  });

  it('lists, limits, restricts and revokes', () => {
    expect(parse('keys list')).toEqual({ name: 'keys list', organisationId: null });
    expect(parse(`keys revoke --id ${id}`)).toEqual({ name: 'keys revoke', id });
    expect(parse(`keys methods --key-set ${id} --methods swift`)).toEqual({
      name: 'keys methods',
      keySetId: id,
      methods: ['SWIFT'],
    });
    expect(parse(`keys methods --key-set ${id} --methods none`)).toMatchObject({ methods: [] });
    expect(parse(`keys create --organisation ${id} --label x --methods SWIFT`)).toMatchObject({
      methods: ['SWIFT'],
    });
    expect(parse(`keys limit --key-set ${id} --limit default`)).toMatchObject({
      limits: { rateLimit: null },
    });
    expect(parse(`keys limit --key-set ${id} --client-limit 7`)).toMatchObject({
      limits: { clientRateLimit: 7 },
    });
    expect(parse(`organisations limit --organisation ${id} --limit 9`)).toMatchObject({
      organisationId: id,
      rateLimit: 9,
    });
    expect(
      parse(
        `organisations restrict --organisation ${id} --origins https://A.example/,http://b.example:8080`,
      ),
    ).toMatchObject({ origins: ['https://a.example', 'http://b.example:8080'] });
    expect(parse(`organisations restrict --organisation ${id} --origins any`)).toMatchObject({
      origins: null,
    });
  });

  it('rotates, with an overlap of a day unless told otherwise', () => {
    const rotate = `keys rotate --id ${id}`;
    const tomorrow = new Date('2026-11-02T00:00:00Z');
    expect(parse(rotate)).toEqual({
      name: 'keys rotate',
      id,
      retiresAt: tomorrow,
      expiresAt: null,
    });
    expect(parse(`${rotate} --retire-at now --expires-at 2026-11-02`)).toMatchObject({
      retiresAt: now,
      expiresAt: tomorrow,
    });
  });

  it('lists a bounded part of the audit log', () => {
    expect(parse('audit list')).toMatchObject({
      query: { organisationId: null, subjectId: null, before: null, limit: 50 },
    });
    expect(
      parse(`audit list --organisation ${id} --subject ${id} --before ${id} --limit 9999`),
    ).toMatchObject({
      query: { organisationId: id, subjectId: id, before: id, limit: 1_000 },
    });
  });

  it.each([
    '',
    `keys limit --key-set ${id}`,
    `keys limit --key-set ${id} --limit 2147483648`,
    `organisations limit --organisation ${id}`,
    `keys rotate --id ${id} --retire-at 2026-10-01`,
    `keys rotate --id ${id} --retire-at soon`,
    'audit list --limit 0',
    'audit list --subject x',
    'keys',
    'keys destroy',
    'organisations create',
    'organisations create --name',
    'keys create --organisation x --label y',
    `keys create --organisation ${id}`,
    `keys create --organisation ${id} --label y --permissions quotes,root`,
    `keys create --organisation ${id} --label y --expires-at tomorrow`,
    `keys create --organisation ${id} --label y --expires-at 2026-10-01`,
    `keys create --organisation ${id} --label y --limit none`,
    `keys revoke --id ${id} --force`,
  ])('refuses "%s" with a usage error', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });

  it.each([
    'nonsense',
    'http://shop.example/path',
    'https://shop.example?from=a',
    'https://shop.example/#top',
    'https://user@shop.example',
    'https://*.shop.example',
    'ftp://shop.example',
  ])('refuses %s, which is no origin, before an organisation is restricted to it', (text) => {
    const restrict = `organisations restrict --organisation ${id} --origins`;
    const message = `--origins must be http(s)://host[:port],… or any, got ${text}`;
    expect(() => parse(`${restrict} https://a.example,${text}`)).toThrow(new UsageError(message));
  });
});
