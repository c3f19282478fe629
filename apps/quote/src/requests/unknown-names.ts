import type { ValidationError } from '@bascule/contracts';
import type { KnownAsset, KnownAssets } from '../routes/known-asset.js';

export type Path = ValidationError['path'];

export const customProblem = (path: Path, message: string): ValidationError => ({
  code: 'custom',
  path,
  message,
});

/** Value at a path of a request of any shape. */
export function valueAt(request: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    request,
  );
}

export function textAt(request: unknown, path: Path): string | undefined {
  const value = valueAt(request, path);
  return typeof value === 'string' ? value : undefined;
}

/** Maximum length of a list of names; the cost of a response grows with it. */
export const MAX_NAMES = 1_000;

/** Paths of the items of a list; a longer list is left to the DTO. */
const placesIn = (request: unknown, list: Path): Path[] => {
  const items = valueAt(request, list);
  return (Array.isArray(items) && items.length <= MAX_NAMES ? items : []).map((_, index) => [
    ...list,
    index,
  ]);
};

export function assetAt(request: unknown, path: Path, assets: KnownAssets): KnownAsset | undefined {
  const text = textAt(request, path);
  return text === undefined ? undefined : assets.get(text.toLowerCase());
}

/**
 * Problem of a well-formed identifier that is not listed; malformed ones are left to the DTO.
 * @param hint added to the message
 */
export function unknownAsset(
  request: unknown,
  path: Path,
  assets: KnownAssets,
  hint = '',
): ValidationError[] {
  const text = textAt(request, path);
  const isWellFormed = text !== undefined && /^([a-z]{3}|[a-z]+:0x([a-f0-9]{40})?)$/i.test(text);
  if (!isWellFormed || assetAt(request, path, assets)) return [];
  return [customProblem(path, `Unknown asset ${text}.${hint}`)];
}

export const unknownAssets = (
  request: unknown,
  list: Path,
  assets: KnownAssets,
  hint = '',
): ValidationError[] =>
  placesIn(request, list).flatMap((path) => unknownAsset(request, path, assets, hint));

export const unknownProviders = (
  request: unknown,
  list: Path,
  providers: ReadonlySet<string>,
): ValidationError[] =>
  placesIn(request, list).flatMap((path) => {
    const name = textAt(request, path);
    return name === undefined || providers.has(name.toLowerCase())
      ? []
      : [customProblem(path, `Unknown provider ${name}.`)];
  });
