import { isFiatCode, isTokenIdentifier, type ValidationError } from '@bascule/contracts';

/** Lists well-formed assets of the filter that are not listed; malformed ones are left to its DTO. */
export function unlistedAssets(
  query: unknown,
  isListed: (id: string) => boolean,
): ValidationError[] {
  const { assets } = Object(query) as { assets?: unknown };
  return (Array.isArray(assets) ? assets : []).flatMap((asset: unknown, index) => {
    if (typeof asset !== 'string' || !(isTokenIdentifier(asset) || isFiatCode(asset))) return [];
    if (isListed(asset.toLowerCase())) return [];
    return [{ code: 'custom', path: ['assets', index], message: `Unknown asset ${asset}.` }];
  });
}
