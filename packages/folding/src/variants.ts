/** Each line has the modern form, then its old forms and those of names. NFKC replaces compatibility forms (such as of 神). */
const groups = `
  高髙 崎﨑嵜碕 斉斎齊齋 辺邊邉 浜濱濵 国國圀 沢澤 広廣 島嶋嶌 渕淵渊 桜櫻 恵惠 徳德 真眞 栄榮 蔵藏 瀬瀨 条條
  応應 寿壽 静靜 実實 会會 学學 区區 関關 鉄鐵銕 黒黑 富冨 峰峯 岳嶽 曽曾 弥彌 吉𠮷 土圡 柳栁 桑桒 館舘 剣劍劔劒
  巌巖 塩鹽 竜龍 滝瀧 万萬 与與 亜亞 壱壹 衛衞 駅驛 円圓 園薗 奥奧 横橫 温溫 絵繪 楽樂 寛寬 巻卷 気氣 亀龜 尭堯
  暁曉 勲勳 薫薰 渓溪 経經 継繼 芸藝 県縣 権權 顕顯 厳嚴 恒恆 号號 参參 賛贊 従從 縦縱 将將 奨奬 浄淨 縄繩 譲讓
  畳疊 慎愼 図圖 粋粹 穂穗 随隨 数數 声聲 銭錢 浅淺 禅禪 双雙 壮壯 荘莊 巣巢 装裝 総總 対對 体體 台臺 単單 昼晝
  庁廳 聴聽 鎮鎭 転轉 点點 伝傳 灯燈 当當 党黨 稲稻 闘鬪 独獨 麦麥 発發 仏佛 並竝 変變 弁辨瓣辯 宝寶 豊豐 毎每
  満滿 黙默 薬藥 訳譯 予豫 余餘 誉譽 様樣 来來 頼賴 覧覽 緑綠 塁壘 励勵 礼禮 霊靈 齢齡 暦曆 歴歷 恋戀 労勞 楼樓
  録錄 湾灣 桧檜 鴎鷗 薮藪 遥遙 槙槇 凛凜 悦悅 税稅 説說 戸戶 郎郞 清淸 青靑 産產 内內 教敎 黄黃 秋穐龝
`;

export const variants: ReadonlyMap<string, string> = new Map(
  groups
    .trim()
    .split(/\s+/)
    .flatMap((group) => {
      const [first = '', ...others] = group;
      return others.map((other): [string, string] => [other, first]);
    }),
);
