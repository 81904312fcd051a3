// 页面上的中文文字。

export const ZH = {
  "title": "记忆", "nav": "视图", "nav.knows": "智能体知道什么", "nav.happened": "发生了什么", "nav.care": "管理",
  "skip": "跳到正文", "theme": "浅色或深色", "sign_out": "退出", "failed": "出了问题", "unreachable": "无法连接服务器。",
  "all": "全部", "more": "显示更多", "close": "关闭", "cancel": "取消", "save": "保存", "saved": "已保存", "undo": "撤销",
  "add": "添加", "add.to": "添加到{0}", "edit": "编辑", "edit.of": "编辑{0}", "remove": "移除", "remove.of": "移除{0}", "removing": "正在移除“{0}”",
  "details": "详情", "unset": "未填写", "unreadable": "无法识别“{0}”", "and_more": "还有 {0} 条",
  "time": "时间", "query": "问题", "use": "使用", "thread": "会话", "thread.of": "会话 {0}", "agent": "智能体", "since": "自 {0} 起", "rounds": "{0} 轮",

  "sign_in": "登录", "sign_in.token": "访问令牌", "sign_in.hint": "只保存在本标签页中，关闭后即消失。", "sign_in.refused": "服务器不认识这个令牌。",

  "records.title": "记录", "records.search": "搜索记忆", "records.none": "这里还没有内容。", "records.none_found": "没有符合的记录。",
  "kind": "类别", "state": "状态", "sort": "排序", "content": "内容", "tags": "标签", "tags.hint": "用逗号分隔",
  "kind.told": "除对话外", "kind.fact": "事实", "kind.preference": "偏好", "kind.project": "项目", "kind.feedback": "反馈", "kind.reference": "参考", "kind.dialogue": "对话",
  "state.active": "有效", "state.archived": "已归档", "state.superseded": "已被取代", "state.quarantined": "已隔离",
  "sort.updated": "最近修改", "sort.created": "创建时间", "sort.weight": "权重", "sort.used": "最近使用",
  "weight": "权重", "weight.of": "权重 {0}", "confidence": "可信度", "importance": "重要性", "trust": "来自", "source": "来源", "address": "归属",
  "trust.user": "用户本人", "trust.assistant": "助手", "trust.tool": "工具", "trust.document": "文档",
  "valid_from": "生效于", "valid_to": "失效于", "event_time": "发生于", "created": "创建", "changed": "修改", "used": "使用", "used.times": "{0} 次，最近 {1}", "used.never": "从未",
  "used.referenced": "回答中用到", "used.injected": "仅告知",
  "why": "为何想起 · 得分 {0}", "why.more": "相似度 {0}，问题词语的覆盖 {1}",
  "signal.meaning": "含义", "signal.words": "词语", "signal.beside": "相邻的一轮", "signal.beyond": "相隔两轮", "signal.links": "链接的记录", "signal.speaker": "说话的人", "signal.time": "所问的时间", "signal.pinned": "已置顶", "signal.saying": "内容丰富", "signal.asking": "是提问而非陈述", "signal.thread": "同一会话", "signal.trusted": "信任", "signal.importance": "重要性", "signal.recency": "新近", "signal.weight": "权重",
  "add.title": "记住一件事", "add.hint": "写一句单独看也明白的话。", "add.done": "已记住",

  "record.title": "记录", "record.gone": "这条记录已不存在。", "record.about": "基本信息", "record.said": "出自哪里", "record.said_none": "不是从对话中得来的。",
  "record.history": "历史", "record.history_none": "没有更早的版本。", "record.links": "链接", "record.links_none": "没有链接。", "record.usage": "使用情况", "record.usage_none": "还没有被想起过。",
  "archive": "归档", "archived": "已归档", "restore": "恢复", "restored": "已恢复", "pin": "置顶", "pinned": "已置顶", "unpin": "取消置顶", "unpinned": "已取消置顶",
  "forget": "忘记", "forgetting": "正在忘记“{0}”", "forgotten.receipt": "已忘记 · 回执 {0}", "linked_from": "链接到此",
  "relation.supersedes": "取代", "relation.contradicts": "矛盾", "relation.derived_from": "源自", "relation.supports": "支持", "relation.related_to": "相关",
  "conflict.title": "其他地方刚刚改过这里。", "conflict.theirs": "现在的内容", "conflict.mine": "你的内容", "conflict.keep": "保留现在的", "conflict.put": "换成我的",

  "profile.title": "档案", "profile.hint": "选中一个值即可修改。列表每行一项。", "profile.user": "个人", "profile.work": "工作",
  "profile.off": "此档案已停用：智能体看不到它。", "profile.turn_off": "停用", "profile.turn_on": "启用", "profile.now_off": "已停用", "profile.now_on": "已启用",
  "profile.history": "以前的版本", "profile.version": "第 {0} 版，由{1}修改", "profile.bring": "恢复这一版", "profile.brought": "已恢复第 {0} 版", "by.user": "你",
  "lines.hint": "每行一项", "windows.hint": "例如：monday, tuesday 09:00–11:30",
  "field.name": "名称", "field.notes": "备注", "field.occupation": "职业", "field.timezone": "时区", "field.primary_language": "语言", "field.interests": "兴趣", "field.avoid_topics": "回避的话题", "field.custom_rules": "规则",
  "field.people": "人物", "field.relationship": "关系", "field.role": "角色", "field.preferred_contact_channel": "联系方式",
  "field.places": "地点", "field.category": "类别", "field.address": "地址", "field.commute_minutes": "通勤（分钟）", "field.preference": "偏好",
  "preference.like": "喜欢", "preference.neutral": "一般", "preference.avoid": "回避",
  "field.recurring_routines": "日常安排", "field.description": "说明", "field.cadence": "频率", "field.time_windows": "时间", "field.importance": "重要性",
  "field.preferences": "偏好", "field.communication_style": "沟通风格", "field.language_preference": "语言", "field.location_preference": "地点", "field.work_lifestyle": "工作方式", "field.notification_preference": "通知",
  "field.scheduling_preferences": "日程", "field.productive_windows": "高效时段", "field.preferred_meeting_windows": "适合开会", "field.no_meeting_windows": "不开会", "field.deep_work_windows": "专注时段",
  "field.preferred_meeting_duration_minutes": "会议时长（分钟）", "field.meeting_buffer_minutes": "会议间隔（分钟）", "field.max_meetings_per_day": "每天最多会议",
  "field.expertise": "专长", "field.preferred_tools": "工具", "field.team_context": "团队情况", "field.work_rules": "规则", "field.current_projects": "项目", "field.status": "状态", "field.priority": "优先级", "field.deadline": "截止日期", "field.collaborators": "合作者",
  "status.planned": "计划中", "status.active": "进行中", "status.paused": "暂停", "status.completed": "完成",
  "field.team_members": "团队成员", "field.work_habits": "习惯", "field.available_hours": "可用时间", "field.deep_work_blocks": "专注时段", "field.notification_channel": "通知方式",

  "notes.title": "笔记", "notes.off": "此服务器没有笔记。", "notes.none": "还没有笔记。", "notes.new": "新笔记", "notes.stale": "较旧", "notes.filename": "文件名", "notes.name": "标题", "notes.about": "内容简介", "notes.removed": "笔记已移除",
  "note.user": "用户", "note.feedback": "反馈", "note.project": "项目", "note.reference": "参考",

  "experience.title": "经验", "experience.hint": "左边是经历，中间是从中得出的规律，右边是它们支持的技能。选中一个即可看到它的链接。", "experience.none": "还没有经验。", "experience.cut": "各显示最新的 {0} 条。",
  "experience.episodes": "经历", "experience.patterns": "规律", "experience.skills": "技能", "experience.episode": "经历", "experience.pattern": "规律", "experience.skill": "技能",
  "episode.outcome": "结果", "episode.actions": "做了什么", "episode.errors": "错误", "episode.files": "修改的文件", "outcome.success": "成功", "outcome.failure": "失败", "outcome.partial": "部分完成",
  "pattern.category": "类别", "pattern.conditions": "何时", "pattern.right": "应当", "pattern.wrong": "避免",
  "skill.description": "用途", "skill.prerequisites": "前提", "skill.steps": "步骤", "skill.errors": "常见错误", "skill.exit": "完成标准", "skill.example": "示例",

  "timeline.title": "时间线", "timeline.none": "还没有对话。", "timeline.tokens": "记忆用了 {0} 个词元；这里最多的一次是 {1}", "timeline.cost": "{0} 词元",
  "turn.injected": "告知", "turn.referenced": "用到", "turn.extracted": "学到", "turn.superseded": "取代",
  "buffer.title": "等待学习", "buffer.none": "没有等待的内容。", "buffer.extract": "现在学习", "buffer.done": "轮次：{0}，新记录：{1}",
  "runs.title": "提取器的运行", "runs.none": "还没有运行过。", "runs.told": "轮次：{0}，事实：{1}", "runs.retry": "重试", "runs.retry_all": "全部重试", "runs.retried": "将会重试",
  "run.running": "运行中", "run.written": "已写入", "run.done": "完成", "run.failed": "失败", "run.parked": "搁置",

  "review.title": "审核", "review.hint": "因为会左右智能体或与已知内容矛盾而被放在一边。在你放行之前，智能体看不到它们。", "review.none": "没有等待你决定的内容。",
  "review.reason": "原因：{0}", "review.contradicts": "与之矛盾的是", "review.accept": "放行", "review.accepting": "正在放行“{0}”", "review.accepted": "已放行", "review.rejected": "已忘记",

  "forget.title": "忘记", "forget.hint": "你会先看到哪些内容将被删除。忘记后无法找回，由它得出的内容也一并删除；你会得到一张回执。", "forget.by": "方式", "forget.sources": "连同说起它的对话",
  "way.query": "按词语或含义", "way.thread_id": "按会话", "way.source": "按来源", "way.ids": "按编号", "way.everything": "全部",
  "forget.dry": "看看会删除什么", "forget.would": "将会忘记这些", "forget.nothing": "没有符合的内容", "forget.now": "现在忘记（{0}）",
  "receipt.title": "已忘记", "receipt.id": "回执 {0}，{1}", "receipt.save": "保存回执", "receipt.records": "记录", "receipt.derived": "其中推导而来", "receipt.experience": "经验", "receipt.profile": "档案", "receipt.rounds": "等待的轮次", "receipt.short_term": "短期条目", "receipt.turns": "轮次", "receipt.said_in": "仍提到它的对话",

  "stats.title": "统计", "stats.turns": "轮次", "stats.used": "告知后用到", "stats.rounds": "等待的轮次", "stats.parked": "搁置的运行", "stats.kinds": "按类别和状态", "stats.weights": "按权重", "stats.growth": "每天新增", "stats.store": "存储", "stats.cache": "缓存命中", "stats.disk": "磁盘占用", "stats.failures": "失败", "export": "全部导出",

  "keys.title": "键盘", "keys.on": "启用单键快捷键", "keys.views": "切换视图", "keys.search": "搜索", "keys.step": "下一条和上一条记录（搜索框中按 ↓）", "keys.new": "记住一件事，或新建笔记", "keys.edit": "编辑记录", "keys.archive": "归档或恢复", "keys.pin": "置顶或取消", "keys.forget": "忘记", "keys.undo": "撤销", "keys.export": "导出（在统计中）", "keys.language": "中文或英文", "keys.theme": "浅色或深色", "keys.help": "本列表",
};
