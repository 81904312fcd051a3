"""Which script a text is in, and one spelling for both ways of writing Chinese."""

from __future__ import annotations

import re

__all__ = ["HAN", "has_han", "simplified"]

HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_HAN = re.compile(f"[{HAN}]")

# Characters that the rules name, traditional and simplified in turn; values keep the spelling of their owner.
_PAIRS = (
    "們们個个來来說说話话時时為为會会國国學学對对過过開开關关還还後后從从發发點点裡里裏里麼么樣样這这種种現现實实"
    "歡欢愛爱討讨厭厌習习慣惯語语電电郵邮號号碼码幾几歲岁歷历職职業业師师醫医護护員员總总經经營营銷销記记請请讓让"
    "別别應应該该許许鄉乡區区東东遠远邊边島岛灣湾縣县鎮镇廣广門门車车單单離离結结養养貓猫鳥鸟龜龟媽妈爺爷孫孙閨闺"
    "導导領领夥伙組组長长級级編编設设計计劃划項项務务報报價价錢钱週周禮礼鐘钟間间內内問问題题複复雜杂簡简體体詳详"
    "細细囉啰確确認认錯错聽听講讲讀读寫写書书買买賣卖賬账網网頁页軟软術术數数據据庫库統统線线機机動动運运競竞賽赛"
    "練练飯饭麵面雞鸡魚鱼蝦虾湯汤鹹咸葷荤飲饮藥药櫃柜檯台臺台灘滩滅灭潔洁靜静圖图畫画樂乐彈弹鋼钢專专負负責责歸归"
    "屬属於于與与並并傳传輸输輯辑適适選选換换變变給给絕绝續续終终約约縮缩紅红綠绿藍蓝黃黄銀银鐵铁鏡镜難难雲云霧雾"
    "風风飛飞馬马駕驾驗验騎骑髮发鬧闹黨党齊齐齡龄龍龙顯显願愿類类顧顾產产畢毕異异當当疊叠盡尽監监盤盘眾众睜睁矯矫"
    "礙碍稅税穩稳窮穷筆笔節节範范築筑簽签糧粮純纯紙纸綫线緊紧緣缘縱纵罵骂羅罗義义聯联聰聪腦脑膽胆臉脸舉举舊旧艙舱"
    "艱艰華华蘇苏處处虛虚蟲虫補补製制親亲覺觉觀观觸触訂订訊讯訓训訪访訴诉詞词試试誤误誰谁調调談谈論论謝谢證证識识"
    "譯译豐丰財财貨货費费貼贴資资贊赞趕赶趙赵跡迹輕轻較较載载輛辆農农連连進进遊游達达遲迟遷迁遞递鄧邓鄭郑釋释針针"
    "銳锐鋒锋錄录鍵键閱阅陰阴陳陈陸陆陽阳隊队階阶際际隨随險险雙双響响頂顶順顺預预頭头頻频額额餓饿館馆騙骗驚惊鬆松"
    "鮮鲜麗丽麥麦齣出張张楊杨吳吴劉刘蕭萧葉叶閻阎盧卢鄒邹馮冯蔣蒋賈贾倫伦偉伟傑杰優优兒儿兩两嚴严喬乔園园圍围場场"
    "壞坏壓压夢梦奧奥奪夺婦妇孃娘寧宁寶宝審审層层屆届嶺岭幣币幹干廠厂廚厨廳厅彎弯彙汇徑径態态慶庆憶忆懶懒戰战戲戏"
    "戶户撥拨擇择擊击擔担擬拟擺摆擾扰攝摄敗败斷断暫暂條条棄弃構构極极標标樓楼橋桥檔档檢检歐欧殘残氣气決决沒没沖冲"
    "況况準准測测滿满漢汉潛潜濟济熱热燈灯爭争牆墙狀状獎奖獨独獲获環环瑪玛療疗癥症盃杯碩硕礎础餘余嗎吗喲哟噸吨囑嘱"
    "團团塊块塵尘墊垫僱雇"
)
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_QUOTES = {ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"', ord("\u3000"): " ", 0xA0: " "}
_ONE_SPELLING: dict[int, int | str] = {
    **{ord(old): new for old, new in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)},
    **_FULL_WIDTH,
    **_QUOTES,
}


def has_han(text: str) -> bool:
    """Tell whether a text holds Chinese characters."""
    return _HAN.search(text) is not None


def simplified(text: str) -> str:
    """Give the text in simplified characters and half-width signs, sign by sign, so that every place stays the same."""
    return text.translate(_ONE_SPELLING)
