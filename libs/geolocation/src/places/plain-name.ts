const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  ə: 'a',
};

/** Optional words for the kind of place. Not `city`, which distinguishes it from the state of the same name. */
const KINDS = new Set(
  (
    'province provinces region district department governorate county state oblast oblasti krai kray republic municipality ' +
    'municipal urban autonomous prefecture division territory capital special federal parish administrative community ' +
    'comarca atoll estado emirate voivodeship canton rayon county län lan of the si do al ash ad ar as'
  ).split(' '),
);

/** Removes brackets, accents, case and punctuation. */
export const plainName = (name: string): string =>
  name
    .replace(/\s*[[(].*/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßłøđıæə]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’‘`ʻʿʼ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Removes the words for its kind, too; empty when nothing else is left. */
export const coreName = (name: string): string =>
  plainName(name)
    .split(' ')
    .filter((word) => !KINDS.has(word))
    .join(' ');
