/** Letters that identify an encoding, and the words that would show it. */
interface Script {
  encoding: string
  /** For each language: its letters beside those of ASCII. For scripts of their own: its frequent letters. */
  languages: readonly string[]
  /** True if ASCII letters usually stand around these, false if none do. */
  isLatin: boolean
  /** Letters that none of the languages uses; they show that the bytes mean other letters. */
  impossible?: RegExp
}

const CYRILLIC = [
  'оеаинтсрвлкмдпуяызбчйОЕАИНТСРВЛКМДПУЗБ',
  'іїєґоаинтервсклмдпуІЇЄ',
  'ъщаоиетнрвсклдпзум',
]

/** The Chinese characters of bank files, simplified and traditional; no other decoding has many of them. */
const HAN_SIMPLIFIED =
  '交易日期时间金额余额收入支出人民币账户对方名称备注类型商品订单支付银行转账消费状态成功单号流水卡号摘要公司有限北京上海中国工商建设农业微信宝还款工资利息手续费现金网上的在一元年月与退换用于提存'
const HAN_TRADITIONAL =
  '交易日期時間金額餘額收入支出帳戶對方名稱備註類型說明幣別存款提款轉帳銀行消費行動卡號摘要公司有限臺灣台北香港中國信託商業薪資利息手續費現金網路的在一元年月與退換用於'
const JAPANESE =
  'のにはをたがでてとしれさアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポッャュョー取引日付金額残高摘要内容振込入出支払預口座普通銀行株式会社手数料年月利息現'
const KOREAN =
  '거래일시금액잔고출입적요내용은행계좌번호메모이체한국신민우하나카드결제승인취소가맹점명상대방보낸분받는급여자수료현원년월후전구점의에을를이다로'

/** In the order in which ties are broken. */
export const SCRIPTS: readonly Script[] = [
  {
    encoding: 'windows-1252',
    isLatin: true,
    languages: [
      'äöüßÄÖÜ',
      'éèêëàâçîïôùûœÉÈÀÇÊ«»',
      'áéíóúñüÁÉÍÓÚÑ¿¡ºª',
      'ãõáâàéêíóôúçÃÕÁÂÀÉÊÍÓÔÚÇºª',
      'àèéìòùÀÈÉÌÒÙ',
      'åäöéÅÄÖÉ',
      'æøåéÆØÅ',
      'éëïöüèáó',
      'áéíóúýþðæöÁÉÍÓÚÝÞÐÆÖ',
    ],
  },
  {
    encoding: 'windows-1250',
    isLatin: true,
    // The French à and the Spanish ñ.
    impossible: /ń[aeiouáéíóú]|ŕ(?!\p{L})|ŕ[aeiou]/gu,
    languages: [
      'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ',
      'áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ',
      'áäčďéíĺľňóôŕšťúýžÁČĎÉÍĽŇÓÔŔŠŤÚÝŽ',
      'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
      'ăâîşţĂÂÎŞŢ',
      'čćđšžČĆĐŠŽ',
    ],
  },
  { encoding: 'windows-1251', isLatin: false, languages: CYRILLIC },
  { encoding: 'windows-1254', isLatin: true, languages: ['çğıöşüÇĞİÖŞÜâ'] },
  {
    encoding: 'iso-8859-15',
    isLatin: true,
    languages: ['éèêëàâçîïôùûœÉÈÀÇÊŒ€', 'äöüßÄÖÜ€', 'šžŠŽäöåõü€'],
  },
  { encoding: 'koi8-r', isLatin: false, languages: CYRILLIC },
  { encoding: 'gb18030', isLatin: false, languages: [HAN_SIMPLIFIED] },
  { encoding: 'big5', isLatin: false, languages: [HAN_TRADITIONAL] },
  { encoding: 'shift_jis', isLatin: false, languages: [JAPANESE] },
  { encoding: 'euc-kr', isLatin: false, languages: [KOREAN] },
]
