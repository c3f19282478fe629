import { createRequire } from 'node:module';
import { iso31662 } from 'iso-3166';
import { ALIASES } from './data/subdivision-aliases.js';
import { coreName, plainName } from './plain-name.js';

interface Subdivision {
  /** ISO 3166-2 code without the country. */
  code: string;
  /** Name in ISO 3166-2. */
  name: string;
  /** English name where it differs. */
  english: string | undefined;
}

/** Names of Unicode's CLDR by lower-case code without its hyphen. */
interface EnglishNames {
  subdivisions: { localeDisplayNames: { subdivisions: Readonly<Record<string, string>> } };
}
const english = (
  createRequire(import.meta.url)('cldr-subdivisions-full/subdivisions/en/en.json') as EnglishNames
).subdivisions.localeDisplayNames.subdivisions;

/** Reassigned codes, for which CLDR still has the old names. */
const RENUMBERED = new Set(['IR', 'MA']);

const byCountry = Map.groupBy(iso31662, ({ code }) => code.slice(0, 2));
const indexes = new Map<string, NameIndex>();

const subdivisionsOf = (country: string): Subdivision[] =>
  (byCountry.get(country) ?? []).map(({ code, name }) => ({
    code: code.slice(3),
    name,
    english: RENUMBERED.has(country) ? undefined : english[code.replace('-', '').toLowerCase()],
  }));

/** Spellings of a name, from exact to loose. */
class NameIndex {
  private readonly levels: readonly ReadonlyMap<string, string | null>[];

  constructor(country: string) {
    const all = subdivisionsOf(country);
    const level = (
      nameOf: (subdivision: Subdivision) => string | undefined,
      key: (name: string) => string,
    ) => unambiguous(all, (subdivision) => key(nameOf(subdivision) ?? ''));
    const aliases = Object.entries(ALIASES[country] ?? {});
    this.levels = [
      new Map(aliases.flatMap(([code, names]) => names.map((name) => [plainName(name), code]))),
      level(({ name }) => name, plainName),
      level((subdivision) => subdivision.english, plainName),
      level(({ name }) => name, coreName),
      level((subdivision) => subdivision.english, coreName),
    ];
  }

  find(name: string): string | undefined {
    const [plain, core] = [plainName(name), coreName(name)];
    for (const [depth, level] of this.levels.entries()) {
      const code = level.get(depth < 3 ? plain : core);
      if (code !== undefined && code !== null) return code;
    }
    return undefined;
  }
}

/** Drops names shared by two places of the country. */
function unambiguous(
  all: readonly Subdivision[],
  keyOf: (subdivision: Subdivision) => string,
): ReadonlyMap<string, string | null> {
  const codes = new Map<string, string | null>();
  for (const subdivision of all) {
    const key = keyOf(subdivision);
    if (key !== '') codes.set(key, codes.has(key) ? null : subdivision.code);
  }
  return codes;
}

/** Finds the ISO 3166-2 code (without the country) of a subdivision by its name in a database; undefined when ambiguous. */
export function subdivisionCode(country: string, name: string): string | undefined {
  let index = indexes.get(country);
  if (index === undefined) {
    index = new NameIndex(country);
    indexes.set(country, index);
  }
  return index.find(name);
}
