import { crc32 } from 'node:zlib';

/** The smallest workbook that spreadsheet programs open: one sheet with inline texts. */
export function xlsx(sheetName: string, rows: readonly (readonly (string | number)[])[]): Buffer {
  const sheetRows = rows.map((cells, row) => {
    const xmlCells = cells.map((value, column) => {
      const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
      return typeof value === 'number'
        ? `<c r="${reference}"><v>${value}</v></c>`
        : `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
    });
    return `<row r="${row + 1}">${xmlCells.join('')}</row>`;
  });
  return zip([
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="${packages}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheetType}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheetType}.worksheet+xml"/></Types>`,
    ],
    ['_rels/.rels', relationship('officeDocument', 'xl/workbook.xml')],
    ['xl/_rels/workbook.xml.rels', relationship('worksheet', 'worksheets/sheet1.xml')],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${office}/relationships"><sheets>` +
        `<sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/worksheets/sheet1.xml',
      `${declaration}<worksheet xmlns="${spreadsheet}"><cols><col min="1" max="9" width="22" customWidth="1"/></cols>` +
        `<sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
    ],
  ]);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function relationship(type: string, target: string): string {
  return (
    `${declaration}<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/relationships/${type}" Target="${target}"/></Relationships>`
  );
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function zip(entries: readonly (readonly [path: string, content: string])[]): Buffer {
  let offset = 0;
  const directory: Buffer[] = [];
  const files = entries.map(([path, content]) => {
    const [name, data] = [Buffer.from(path), Buffer.from(content)];
    // ZIP header of a file: version 2.0, no flags, not compressed, dated 1 January 2026.
    const described = Buffer.alloc(26);
    described.writeUInt16LE(20, 0);
    described.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8);
    described.writeUInt32LE(crc32(data), 10);
    described.writeUInt32LE(data.length, 14);
    described.writeUInt32LE(data.length, 18);
    described.writeUInt16LE(name.length, 22);

    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), described, place, name);

    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), described, name, data]);
    offset += file.length;
    return file;
  });
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}
