/** Attributes of a link that opens in a new tab. */
export const apart = { target: '_blank', rel: 'noopener noreferrer' };

/** A link to a stream or message of this product opens in the same page. */
export const leadsElsewhere = (href: string): boolean => !href.startsWith(`${location.origin}/#`);
