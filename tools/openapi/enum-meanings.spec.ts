import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEnums } from './enum-meanings.js';
import type { Components } from './json-schema.js';

const FILE = join(import.meta.dirname, '../../docs/api/openapi.json');

/** Components as they are described already. */
const described = (): Components =>
  (JSON.parse(readFileSync(FILE, 'utf8')) as { components: { schemas: Components } }).components
    .schemas;

/** Components of the wire, without those of requests. */
const wire = (): Components =>
  Object.fromEntries(Object.entries(described()).filter(([name]) => !name.endsWith('Input')));

const changed = (change: (components: Components) => void) => {
  const components = wire();
  change(components);
  return () => describeEnums(components);
};

describe('the values of an enum', () => {
  it('are described one by one, in text and for readers that list them', () => {
    const { PaymentStatus } = described();
    expect(PaymentStatus?.['x-enumDescriptions']?.TAINTED).toContain('sanctioned');
    expect(PaymentStatus?.description).toContain('- `TAINTED`: ');
    expect(changed(() => undefined)).not.toThrow();
  });

  it('need a meaning when they are new', () => {
    expect(changed(({ PaymentStatus }) => PaymentStatus?.enum?.push('PAUSED'))).toThrow(
      /PaymentStatus for .*PAUSED/,
    );
    const added = (components: Components) => {
      components.Colour = { type: 'string', enum: ['RED', 'BLUE'] };
    };
    expect(changed(added)).toThrow('Expected meanings of Colour');
  });

  it('lose their meaning when they are gone', () => {
    expect(changed((components) => delete components.PaymentStatus)).toThrow(
      'PaymentStatus for nothing',
    );
  });
});
