import { describe, expect, it } from '@jest/globals';
import { iso31661, iso31662 } from 'iso-3166';
import { ALIASES } from './data/subdivision-aliases.js';
import { plainName } from './plain-name.js';
import { subdivisionCode } from './subdivisions.js';

const codes = new Set(iso31662.map(({ code }) => code));
const namesOf = (country: string) => iso31662.filter(({ code }) => code.startsWith(`${country}-`));

/** Countries whose subdivisions share no names. */
const CLEAR =
  'US CA AU IN BR MX DE AT CH JP KR CN NL PL SE NG ZA AE MY AR CL CO VE TR EG SA NZ IE PT RO'.split(
    ' ',
  );

describe('the code of a subdivision', () => {
  it.each(CLEAR)('is found by its name, for all of %s', (country) => {
    const names = namesOf(country);
    expect(names.length).toBeGreaterThan(5);
    const wrong = names.filter(
      ({ code, name }) => subdivisionCode(country, name) !== code.slice(3),
    );
    expect(wrong).toEqual([]);
  });

  it('belongs to a subdivision of that name in every country, and is absent for shared names', () => {
    let found = 0;
    const wrong: string[] = [];
    for (const { alpha2 } of iso31661) {
      const nameOf = new Map(namesOf(alpha2).map(({ code, name }) => [code.slice(3), name]));
      for (const name of nameOf.values()) {
        const code = subdivisionCode(alpha2, name);
        if (code === undefined) continue;
        found += 1;
        const own = [nameOf.get(code) ?? '', ...(ALIASES[alpha2]?.[code] ?? [])].map(plainName);
        if (!own.includes(plainName(name))) wrong.push(`${alpha2}: ${name} became ${code}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(found / iso31662.length).toBeGreaterThan(0.98);
  });

  it.each([
    ['US', 'California', 'CA'],
    ['US', 'district of columbia', 'DC'],
    ['CA', 'Quebec', 'QC'],
    ['AU', 'ACT', 'ACT'],
    ['GB', 'England', 'ENG'],
    ['DE', 'Bavaria', 'BY'],
    ['DE', 'Free and Hanseatic City of Hamburg', 'HH'],
    ['MX', 'Mexico City', 'CMX'],
    ['BR', 'Federal District', 'DF'],
    ['FR', 'Île-de-France', 'IDF'],
    ['FR', 'Ile-de-France', 'IDF'],
    ['IT', 'Lombardy', '25'],
    ['RU', 'Moscow', 'MOW'],
    ['RU', 'Moscow Oblast', 'MOS'],
    ['AR', 'Buenos Aires', 'B'],
    ['AR', 'Buenos Aires F.D.', 'C'],
    ['BY', 'Minsk', 'HM'],
    ['BY', 'Minsk Region', 'MI'],
    ['KE', 'Kisumu County', '17'],
    ['SK', 'Bratislava Region', 'BL'],
    ['IR', 'Qom Province', '25'],
    ['ES', 'Madrid', 'MD'],
  ])('maps %s, %s to %s', (country, name, code) => {
    expect(subdivisionCode(country, name)).toBe(code);
  });

  it.each([
    ['US', 'Bavaria'],
    ['US', ''],
    ['US', 'State'],
    ['ZZ', 'California'],
    ['US', '__proto__'],
  ])('is not guessed for %s, "%s"', (country, name) => {
    expect(subdivisionCode(country, name)).toBeUndefined();
  });
});

describe('an alias', () => {
  it('belongs to exactly one existing code', () => {
    for (const [country, aliases] of Object.entries(ALIASES)) {
      for (const code of Object.keys(aliases)) expect(codes).toContain(`${country}-${code}`);
      const names = Object.values(aliases).flat().map(plainName);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});
