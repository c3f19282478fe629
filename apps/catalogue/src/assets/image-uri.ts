/** Icon set of native currencies and of the tokens without a logo. */
export const ICONS = 'https://cdn.jsdelivr.net/npm/cryptocurrency-icons@0.18.1/svg/color';

const BEFORE_PATH = /^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?/i;
/** Characters that `URL` keeps although RFC 3986 has no place for them after the authority. */
const NOT_ALLOWED = /%(?![0-9a-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/gi;

/** Converts the address of an image to a URI of RFC 3986; a missing one is the generic icon. */
export function imageUri(text: string | undefined): string {
  if (text === undefined || !URL.canParse(text)) return `${ICONS}/generic.svg`;
  const { href } = new URL(text);
  const start = BEFORE_PATH.exec(href)?.[0] ?? '';
  return (
    start + href.slice(start.length).replace(NOT_ALLOWED, (found) => encodeURIComponent(found))
  );
}
