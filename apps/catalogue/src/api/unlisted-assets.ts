import { isFiatCode, isTokenIdentifier, type ValidationError } from '@bascule/contracts';

/** What is well-formed in the filter and yet not listed; the rest is for the check of its shape. */
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
