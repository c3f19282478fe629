import { DOMParser, onErrorStopParsing, type Element } from '@xmldom/xmldom';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import type { EcbDocument } from '../../prices/ecb-rates.js';

const GESMES = 'http://www.gesmes.org/xml/2002-08-01';
const EUROFXREF = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';

/**
 * Reads `eurofxref-daily.xml`: `gesmes:Envelope > Cube > Cube[@time] > Cube[@currency][@rate]`.
 * @throws UnreadableResponseError for any other or malformed document
 */
export function parseEcbDocument(text: string): EcbDocument {
  const root = rootOf(text);
  if (root?.namespaceURI !== GESMES || root.localName !== 'Envelope') {
    throw new UnreadableResponseError('expected a gesmes envelope');
  }
  const days = cubesIn(root).flatMap(cubesIn);
  const [day] = days;
  const date = day?.getAttribute('time');
  if (!day || days.length > 1 || !date) {
    throw new UnreadableResponseError('expected the exchange rates of one day');
  }
  const rates = cubesIn(day).map((cube) => ({
    currency: cube.getAttribute('currency') ?? '',
    rate: cube.getAttribute('rate') ?? '',
  }));
  return { date, rates };
}

function rootOf(text: string): Element | null {
  try {
    const parser = new DOMParser({ onError: onErrorStopParsing });
    const document = parser.parseFromString(text, 'application/xml');
    // The bank's document has none, and entities could expand without bound.
    if (document.doctype) throw new Error('unexpected document type');
    return document.documentElement;
  } catch (error) {
    throw new UnreadableResponseError('expected well-formed XML', { cause: error });
  }
}

const cubesIn = (parent: Element): Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is Element =>
      node.nodeType === node.ELEMENT_NODE &&
      node.namespaceURI === EUROFXREF &&
      node.localName === 'Cube',
  );
