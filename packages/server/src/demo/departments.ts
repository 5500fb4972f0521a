export interface DemoDepartment {
  departmentCd: string;
  displayName: string;
  children?: readonly DemoDepartment[];
  stream?: false;
}

export const departments: readonly DemoDepartment[] = [
  {
    departmentCd: '0000',
    displayName: '株式会社 縁側',
    children: [
      {
        departmentCd: '1000',
        displayName: '開発本部',
        children: [
          { departmentCd: '1100', displayName: 'プロダクト開発部' },
          { departmentCd: '1200', displayName: '基盤技術部' },
          { departmentCd: '1300', displayName: 'デザイン室' },
          { departmentCd: '1400', displayName: '品質保証部' },
        ],
      },
      {
        departmentCd: '2000',
        displayName: '営業本部',
        children: [
          { departmentCd: '2100', displayName: '東日本営業部' },
          { departmentCd: '2200', displayName: '西日本営業部' },
          { departmentCd: '2300', displayName: 'カスタマーサクセス部' },
          { departmentCd: '2400', displayName: 'マーケティング部' },
        ],
      },
      {
        departmentCd: '3000',
        displayName: '管理本部',
        children: [
          { departmentCd: '3100', displayName: '総務部' },
          { departmentCd: '3200', displayName: '人事部' },
          { departmentCd: '3300', displayName: '経理部' },
          { departmentCd: '3400', displayName: '法務部' },
          { departmentCd: '3500', displayName: '情報システム部' },
        ],
      },
      { departmentCd: '4000', displayName: '経営企画室' },
      { departmentCd: '5000', displayName: '広報室' },
      // The auditors have no stream, as an example of a department without one.
      { departmentCd: '9000', displayName: '内部監査室', stream: false },
    ],
  },
];
